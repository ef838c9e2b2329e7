// SPDX-License-Identifier: Apache-2.0
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startChild, type Child } from './child.ts';

/** A running kube-controller-manager. */
export interface ControllerManager extends Child {
  /** Its logged errors about discovery, lists or watches. */
  readonly apiErrors: readonly string[];
}

/** Starts a kube-controller-manager with this kubeconfig and working folder. */
export async function startControllerManager(
  binaries: string,
  folder: string,
  kubeconfig: string,
): Promise<ControllerManager> {
  const key = join(folder, 'controller-manager.key');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const options = {
    kubeconfig,
    controllers: '*',
    'leader-elect': 'false',
    'secure-port': '0',
    'service-account-private-key-file': key,
    'flex-volume-plugin-dir': join(folder, 'volume-plugins'),
  };
  const apiErrors: string[] = [];
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const child = startChild(join(binaries, 'kube-controller-manager'), args, (line) => {
    if (isApiError(line)) apiErrors.push(line);
  });
  return { ...child, apiErrors };
}

/** Whether a log line is an error about discovery, lists or watches. */
export function isApiError(line: string): boolean {
  return (
    /^E\d{4} /.test(line) &&
    /discover|failed to (?:list|watch)|unable to (?:get|retrieve) .*(?:api|resource)/i.test(line)
  );
}
