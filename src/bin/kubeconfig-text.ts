// A kubeconfig for a server on loopback that asks nobody who they are.

/** JSON is YAML too. */
export function kubeconfigText(server: string): string {
  const name = 'muster';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server } }],
    users: [{ name, user: {} }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
