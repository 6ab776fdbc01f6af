// What runs when nobody chooses: the checks of the original worker. By name, so that who only has to name them carries none.

export const usualChecks: readonly string[] = ['dns', 'api', 'network', 'service-discovery'];
