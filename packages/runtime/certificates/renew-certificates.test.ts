// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import { systemKeys as keys } from '@forge/pki/keys.ts';
import { renewCertificates, type StoredCertificates } from './renew-certificates.ts';

const names = ['paint.default.svc'];
const start = Date.parse('2026-01-01');
const hour = 3_600_000;
const day = 24 * hour;

const renew = (kept: StoredCertificates | undefined, now: number, hosts = names) =>
  renewCertificates(kept, { hosts, now, keys });

/** Whether a caller who trusts these authorities accepts what is served, at this time. */
function accepts(authorities: readonly string[], served: string, now: number): boolean {
  const leaf = new X509Certificate(served);
  const holds = ({ validFromDate, validToDate }: X509Certificate) =>
    validFromDate.getTime() <= now && now < validToDate.getTime();
  return (
    holds(leaf) &&
    leaf.checkHost('paint.default.svc') !== undefined &&
    authorities
      .map((each) => new X509Certificate(each))
      .some((each) => holds(each) && leaf.checkIssued(each) && leaf.verify(each.publicKey))
  );
}

describe('stored certificates', () => {
  test('serve for three years, checked only when due, with callers and servers up to an hour behind', () => {
    const history: { at: number; kept: StoredCertificates }[] = [];
    let now = start;
    let kept: StoredCertificates | undefined;
    while (now < start + 3 * 365 * day) {
      const { certificates, checkAt } = renew(kept, now);
      if (certificates !== kept) history.push({ at: now, kept: certificates });
      kept = certificates;
      assert.ok(checkAt > now);
      now = checkAt;
    }
    const at = (time: number) => history.findLast((each) => each.at <= time)?.kept ?? history[0]?.kept;
    // Between two changes only time passes, which can only invalidate a certificate: checking the last moment is enough.
    const moments = history.flatMap(({ at: changed }, index) => [
      changed,
      changed + hour - 1,
      changed + hour,
      (history[index + 1]?.at ?? now) - 1,
    ]);
    for (const time of moments) {
      for (const [caller, server] of [
        [at(time), at(time)],
        [at(time - hour), at(time)],
        [at(time), at(time - hour)],
      ]) {
        assert.ok(accepts(caller?.authorities ?? [], server?.serving.cert ?? '', time), new Date(time).toISOString());
      }
    }
    assert.equal(new Set(history.map((each) => each.kept.serving.cert)).size, 21);
    assert.deepEqual([...new Set(history.map((each) => each.kept.authorities.length))], [1, 2]);
    assert.ok(history.length < 40, `${history.length} changes`);
  });

  test('stay unchanged while nothing is due', () => {
    const { certificates, checkAt } = renew(undefined, start);
    assert.equal(renew(certificates, checkAt - 1).certificates, certificates);
    assert.notEqual(renew(certificates, checkAt).certificates, certificates);
  });

  test('are issued at once for another name, and when they have expired', () => {
    const { certificates } = renew(undefined, start);
    const renamed = renew(certificates, start + 1, ['other.default.svc']).certificates;
    assert.ok(new X509Certificate(renamed.serving.cert).checkHost('other.default.svc'));
    assert.deepEqual(renamed.authorities, certificates.authorities);
    const late = start + 1000 * day;
    const { certificates: again } = renew(certificates, late);
    assert.ok(accepts(again.authorities, again.serving.cert, late));
    assert.equal(again.authorities.length, 1);
  });

  test('are issued again when a key is damaged or belongs to another certificate', () => {
    const { certificates } = renew(undefined, start);
    const { certificates: others } = renew(undefined, start);
    for (const damaged of [
      { ...certificates, authorityKey: 'no key' },
      { ...certificates, authorityKey: others.authorityKey },
      { ...certificates, serving: { ...certificates.serving, key: others.serving.key } },
      { ...certificates, authorities: [] },
    ]) {
      const { certificates: renewed } = renew(damaged, start + 1);
      assert.ok(!certificates.authorities.includes(renewed.authorities[0] ?? ''));
      assert.ok(accepts(renewed.authorities, renewed.serving.cert, start + 1));
    }
  });
});
