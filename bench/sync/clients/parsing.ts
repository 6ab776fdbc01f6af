// The transport and JSON.parse: what a client that reads whole objects cannot go below.

import { measure } from '../measure.ts';
import { followBare } from './bare.ts';

measure(followBare((bytes) => void JSON.parse(bytes.toString('utf8'))));
