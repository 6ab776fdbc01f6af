import { describe, expect, it } from 'vitest';
import { formatProblem } from '../base/result.ts';
import { readOperatorConfig } from './operator-config.ts';

const whole = {
  name: 'gpu-burn',
  image: 'registry.example/gpu-burn:1',
  command: ['/bin/burn'],
  args: ['--seconds', '5'],
  env: [{ name: 'LEVEL', value: '' }],
  volumeMounts: [{ name: 'modules', mountPath: '/lib/modules', readOnly: true }],
  resources: { requests: { memory: '64Mi' }, limits: { memory: '256Mi', 'nvidia.com/gpu': 1 } },
  securityContext: { runAsUser: 0, runAsNonRoot: false, capabilities: { drop: ['ALL'], add: ['SYS_ADMIN'] } },
  workingDir: '/tmp',
};
const modules = { name: 'modules', hostPath: { path: '/lib/modules', type: 'Directory' } };

async function read(worker: unknown) {
  return readOperatorConfig(['--config', 'muster.yaml'], {
    environment: {},
    read: async () => ({ kind: 'ok', value: { worker } }) as const,
  });
}

async function problems(worker: unknown): Promise<readonly string[]> {
  const config = await read(worker);
  return config.kind === 'error' ? config.error.map(formatProblem) : [];
}

const withCheck = (rest: object) => ({ initContainers: [{ ...whole, ...rest }], volumes: [modules] });

describe('custom checks in the configuration of the operator', () => {
  it('are read with every field that a container of a check can have', async () => {
    expect(await read({ initContainers: [whole], volumes: [modules] })).toMatchObject({
      kind: 'ok',
      value: {
        custom: {
          checks: [
            {
              ...whole,
              resources: { limits: { memory: '256Mi', 'nvidia.com/gpu': '1' } },
              workingDir: '/tmp',
            },
          ],
          volumes: [modules],
        },
      },
    });
  });

  it('are JSON in a flag', async () => {
    const bare = { name: 'licence', image: 'licence:1' };
    const config = await readOperatorConfig(['--worker-init-containers', JSON.stringify([bare])], {
      environment: {},
      read: async () => ({ kind: 'error', error: 'ENOENT' }) as const,
    });
    expect(config).toMatchObject({ kind: 'ok', value: { custom: { checks: [bare], volumes: [] } } });
  });

  it('are none when nothing is said', async () => {
    expect(await read({})).toMatchObject({ kind: 'ok', value: { custom: { checks: [], volumes: [] } } });
  });

  const wrong: Readonly<Record<string, readonly [worker: unknown, said: string]>> = {
    'is no list': [{ initContainers: 'gpu-burn' }, 'worker.initContainers: must be a list, not "gpu-burn"'],
    'has a field that no check has': [
      withCheck({ livenessProbe: {} }),
      '[0].livenessProbe: is not a known key; known are name, image, command, args, env, volumeMounts, resources, securityContext, workingDir',
    ],
    'has no image': [{ initContainers: [{ name: 'gpu-burn' }] }, '[0].image: is required'],
    'has an image that is no text': [withCheck({ image: 7 }), '[0].image: must be text, not 7'],
    'has a command that is no list': [
      withCheck({ command: 'burn' }),
      '[0].command: must be a list of 0 to 64, not "burn"',
    ],
    'has a name that no report has room for': [
      withCheck({ name: 'a-name-that-is-too-long' }),
      '[0].name: must be up to 20 lower-case letters, digits and dashes, not "a-name-that-is-too-long"',
    ],
    'is called as a check of the worker': [
      withCheck({ name: 'dns' }),
      '[0].name: "dns" is taken by Muster itself',
    ],
    'is called as the worker': [
      withCheck({ name: 'worker' }),
      '[0].name: "worker" is taken by Muster itself',
    ],
    'takes a variable from elsewhere': [
      withCheck({ env: [{ name: 'KEY', valueFrom: { secretKeyRef: {} } }] }),
      '[0].env[0].value: is required; worker.initContainers[0].env[0].valueFrom: is not a known key; known are name, value',
    ],
    'sets a variable that the operator sets': [
      withCheck({ env: [{ name: 'NODE_NAME', value: 'a' }] }),
      'worker.initContainers[0].env[0].name: "NODE_NAME" is set by the operator',
    ],
    'asks for a quantity that is none': [
      withCheck({ resources: { limits: { memory: 'much' } } }),
      '[0].resources.limits.memory: must be a quantity of 0 or more, not "much"',
    ],
    'asks for less than nothing': [
      withCheck({ resources: { requests: { cpu: '-1' } } }),
      '[0].resources.requests.cpu: must be a quantity of 0 or more, not "-1"',
    ],
    'asks for more than it may use': [
      withCheck({ resources: { requests: { memory: '1Gi' }, limits: { memory: '512Mi' } } }),
      'worker.initContainers[0].resources.requests.memory: is 1Gi, more than its limit 512Mi',
    ],
    'has a securityContext with a field that is unknown': [
      withCheck({ securityContext: { runAsRoot: true } }),
      '[0].securityContext.runAsRoot: is not a known key',
    ],
    'runs as root in a pod that does not': [
      withCheck({ securityContext: { runAsUser: 0 } }),
      'worker.initContainers[0].securityContext.runAsUser: is 0, which needs runAsNonRoot: false too',
    ],
    'mounts a volume that is not there': [
      { initContainers: [whole] },
      'worker.initContainers[0].volumeMounts[0].name: must be the name of one of worker.volumes, not "modules"',
    ],
    'is there twice': [
      { initContainers: [whole, whole], volumes: [modules] },
      'worker.initContainers: has "gpu-burn" more than once',
    ],
    'has a volume of two kinds': [
      { volumes: [{ ...modules, emptyDir: {} }] },
      '[0]: must be a volume with one of hostPath, emptyDir, configMap, secret, not {"name":"modules"',
    ],
    'has a volume of no kind': [{ volumes: [{ name: 'modules' }] }, '[0]: must be a volume with one of'],
    'has a volume of another kind': [
      { volumes: [{ name: 'modules', nfs: {} }] },
      '[0].nfs: is not a known key; known are name, hostPath, emptyDir, configMap, secret',
    ],
    'has a volume that is called as one of the worker': [
      { volumes: [{ name: 'account', emptyDir: {} }] },
      '[0].name: "account" is taken by Muster itself',
    ],
    'is written under a key that is unknown': [
      { containers: [] },
      'worker.containers: is not a known key; known are',
    ],
  };

  it.each([
    ['names one of them', [{ name: 'dns' }, { name: 'gpu-burn' }]],
    ['calls another check so', [{ name: 'dns', id: 'gpu-burn' }]],
    ['names one of them in a text', 'dns,gpu-burn'],
  ])('are refused where the settings of the worker have a list of checks that %s', async (_, checks) => {
    const config = await readOperatorConfig(['--config', 'muster.yaml'], {
      environment: {},
      read: async () =>
        ({
          kind: 'ok',
          value: {
            worker: { initContainers: [{ name: 'gpu-burn', image: 'gpu-burn:1' }] },
            verification: { workerSettings: { checks } },
          },
        }) as const,
    });
    expect(config).toMatchObject({
      error: [
        { path: 'verification.workerSettings.checks', message: expect.stringMatching(/^has "gpu-burn", /) },
      ],
    });
  });

  it.each(Object.entries(wrong))('are refused where one %s', async (_, [worker, said]) => {
    const found = await problems(worker);
    expect(found.join('; ')).toContain(said);
  });
});
