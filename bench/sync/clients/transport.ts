// The transport alone: every byte is received, split into lines and decoded into text, and nothing is done with the text.

import { measure } from '../measure.ts';
import { followBare } from './bare.ts';

measure(followBare((bytes) => void bytes.toString('utf8')));
