// SPDX-License-Identifier: Apache-2.0
import { rm } from 'node:fs/promises';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import { readFileIfExists } from '@forge/runtime/process/read-file-if-exists.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import type { DataFolder } from '../data/data-folder.ts';
import { loadOrCreateFile } from '../data/load-or-create-file.ts';
import { writePrivateFile } from '../data/write-private-file.ts';
import { openbao, type OpenBaoSecrets } from './openbao-objects.ts';

/** Created once for the lifetime of the data folder. */
const validDays = 3650;

/** The private files of OpenBao in a data folder, each readable only by its owner. */
export interface OpenBaoFiles {
  /** Its seal key and its certificate; created on first use. */
  secrets(): Promise<OpenBaoSecrets>;
  /** The root token; undefined before the initialisation. */
  rootToken(): Promise<SecretValue | undefined>;
  saveRootToken(token: SecretValue): Promise<void>;
  /** Records that the initialisation begins: until its token is saved, OpenBao cannot contain any secrets. */
  beginInitialisation(): Promise<void>;
  endInitialisation(): Promise<void>;
  wasInterrupted(): Promise<boolean>;
  /** The paths of the key and the token, for messages. */
  sealKeyFile: string;
  rootTokenFile: string;
}

/** The files of OpenBao in this data folder. */
export function openbaoFiles(data: DataFolder, { clock, random }: { clock: Clock; random: Random }): OpenBaoFiles {
  const file = (name: string) => data.path('openbao', name);
  const [sealKeyFile, rootTokenFile, marker] = [file('seal.key'), file('root.token'), file('initialising')];
  return {
    sealKeyFile,
    rootTokenFile,
    async secrets() {
      const sealKey = await loadOrCreateFile(sealKeyFile, () => Buffer.from(random.bytes(32)).toString('hex'));
      const tls = await loadOrCreateFile(file('tls.json'), () => JSON.stringify(certificates(clock)));
      return { sealKey, ...(JSON.parse(tls) as Omit<OpenBaoSecrets, 'sealKey'>) };
    },
    async rootToken() {
      const text = (await readFileIfExists(rootTokenFile))?.toString().trim();
      return text === undefined ? undefined : new SecretValue(text);
    },
    saveRootToken: (token) => writePrivateFile(rootTokenFile, `${token.reveal()}\n`),
    beginInitialisation: () => writePrivateFile(marker, ''),
    endInitialisation: () => rm(marker, { force: true }),
    wasInterrupted: async () => (await readFileIfExists(marker)) !== undefined,
  };
}

function certificates(clock: Clock): Omit<OpenBaoSecrets, 'sealKey'> {
  const validity = { now: clock.now(), validDays };
  const authority = certificateAuthority({ ...validity, name: 'OpenBao of a local cluster' });
  const names = [...openbao.hosts, 'localhost'];
  return { ca: authority.cert, ...issueServerCertificate(authority, { ...validity, names, addresses: ['127.0.0.1'] }) };
}
