// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aptConfiguration, assumedStatus, sourcesOf } from './apt-configuration.ts';
import { parseUris } from './apt.ts';

const sha256 = 'f'.repeat(64);

describe('apt with private state', () => {
  it('parses each line, with the epoch of a version decoded', () => {
    assert.deepEqual(
      parseUris(`'mirror:/pool/zlib1g_1.2.13_amd64.deb' zlib1g_1%3a1.2.13.dfsg-1_amd64.deb 86684 SHA256:${sha256}\n`),
      [{ name: 'zlib1g', version: '1:1.2.13.dfsg-1', sha256 }],
    );
    assert.deepEqual(parseUris(''), []);
  });

  it('rejects a weaker hash', () => {
    assert.throws(() => parseUris(`'mirror:/a_1_all.deb' a_1_all.deb 1 MD5Sum:${'f'.repeat(32)}`), /unexpected line/);
  });

  it('writes only below its state folder', () => {
    const configuration = aptConfiguration('/cache/apt');
    for (const setting of ['Dir::State', 'Dir::Cache', 'Dir::Log', 'Dir::State::status']) {
      assert.match(configuration, new RegExp(`^${setting} "/cache/apt[^"]*";$`, 'm'));
    }
  });

  it('uses only the mirrors of the host for another release, signed by Debian', () => {
    const printed = [
      "'mirror:/debian/dists/bookworm/InRelease' a_InRelease 0 ",
      "'mirror:/debian/dists/bookworm/main/binary-amd64/Packages.xz' a_Packages 0 ",
      "'mirror:/debian-security/dists/bookworm-security/InRelease' b_InRelease 0 ",
      "'vendor:/apt/dists/bookwormish/InRelease' c_InRelease 0 ",
      "'vendor:/apt/dists/stable/InRelease' d_InRelease 0 ",
    ].join('\n');
    const signed = 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]';
    assert.equal(
      sourcesOf({ wanted: 'trixie', host: 'bookworm' }, printed),
      `${signed} mirror:/debian trixie main\n${signed} mirror:/debian-security trixie-security main\n`,
    );
    assert.match(aptConfiguration('/cache/apt', '/cache/apt/sources.list'), /^Dir::Etc::sourceparts "-";$/m);
  });

  it('assumes packages for maintainer scripts installed, each in its own stanza', () => {
    const stanzas = assumedStatus().trim().split('\n\n');
    assert.ok(stanzas.every((stanza) => /^Package: \S+\nStatus: install ok installed\n/.test(stanza)));
    assert.ok(stanzas.some((stanza) => stanza.startsWith('Package: perl\n')));
  });
});
