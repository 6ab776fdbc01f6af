// The conformance suite on the embedded server, without the cases of kubectl: those need a binary that npm does not bring.

import { embeddedTarget } from './embedded-target.ts';
import { describeConformance } from './run.ts';

describeConformance(embeddedTarget);
