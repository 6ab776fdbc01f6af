// The conformance suite on the server that defines the truth: every expectation must hold here first.

import { realTarget } from './conformance/real-target.ts';
import { describeConformance } from './conformance/run.ts';

describeConformance(realTarget);
