// The transport alone: every byte is received and split into lines, and nothing is done with them.

import { measure } from '../measure.ts';
import { followBare } from './bare.ts';

measure(followBare(() => {}));
