// The settings of the daemonset mode when nobody says anything.

import {
  type DaemonsetSettings,
  daemonsetOptions,
  readDaemonsetSettings,
} from '../../src/cli/daemonset-options.ts';
import { readValues } from '../../src/cli/options.ts';

export function daemonsetDefaults(): DaemonsetSettings {
  const values = readValues(daemonsetOptions, new Map(), {});
  const settings = values.kind === 'ok' ? readDaemonsetSettings(values.value) : values;
  if (settings.kind === 'error') throw new Error(JSON.stringify(settings.error));
  return settings.value;
}
