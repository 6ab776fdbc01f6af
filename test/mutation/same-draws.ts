// Set up before each test file of a mutation run: properties draw the same cases for every mutant, so that a score can be
// measured twice, and a case that fails is not made smaller, for nobody reads it.

import { configureGlobal } from 'fast-check';

configureGlobal({ seed: 20_261_116, endOnFailure: true });
