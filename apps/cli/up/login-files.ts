// SPDX-License-Identifier: Apache-2.0
import { stringify } from 'yaml';
import type { DataFolder } from '../data/data-folder.ts';
import { writePrivateFile } from '../data/write-private-file.ts';
import { passwordLogin } from './identity.ts';

/** Writes files for logging in, so that the password appears neither on screen nor on a command line. */
export async function writeLoginFiles(data: DataFolder, url: string, password: string): Promise<void> {
  await writePrivateFile(data.path('login.json'), `${JSON.stringify(passwordLogin(password))}\n`);
  await writePrivateFile(data.path('clouds.yaml'), stringify({ clouds: { forge: cloud(url, password) } }));
}

function cloud(url: string, password: string) {
  return {
    auth: {
      auth_url: url,
      username: 'admin',
      password,
      project_name: 'admin',
      user_domain_id: 'default',
      project_domain_id: 'default',
    },
    region_name: 'RegionOne',
    identity_api_version: 3,
  };
}
