// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from '@forge/kube/objects/json.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Allocated Service addresses are above the first 256, which are reserved for static allocation. */
const chosenAddress = /\b10\.96\.(?!0\.)\d+\.\d+\b/g;
/** The same for node ports. */
const chosenPorts = { from: 30_086, to: 32_767 };
/** The webhook server listens on a random port. */
const webhook = /(?:\b127\.0\.0\.1|\blocalhost|\.svc):\d{5}\b/g;
const freePorts = 32_768;
const tokenId = /\bJTI=[0-9a-f-]{36}\b/g;
const tokenVolume = /\bkube-api-access-[a-z0-9]{5}\b/g;

/** Placeholders for server-generated values. */
export class Placeholders {
  readonly #placeholders = new Map<string, string>();

  /** Registers the generated values of an object: uid and name. */
  note({ uid, name, generateName }: JsonObject): void {
    if (typeof uid === 'string' && uuid.test(uid)) this.#add(uid, 'uid');
    if (typeof name === 'string' && typeof generateName === 'string' && name.startsWith(generateName)) {
      this.#add(name, 'suffix', generateName);
    }
  }

  /** The text with placeholders for generated values. */
  text(text: string): string {
    let replaced = text
      .replaceAll(webhook, (host) => host.replace(/\d+$/, '<port>'))
      .replaceAll(chosenAddress, (address) => this.#add(address, 'address'))
      .replaceAll(tokenId, (id) => this.#add(id, 'token', 'JTI='))
      .replaceAll(tokenVolume, (volume) => this.#add(volume, 'suffix', 'kube-api-access-'));
    for (const [value, placeholder] of this.#placeholders) replaced = replaced.replaceAll(value, placeholder);
    return replaced;
  }

  /** The number, or a placeholder for an allocated node port or a random port. */
  number(value: number, field: string): unknown {
    if (field === 'port' && value >= freePorts) return '<port>';
    const chosen =
      /^nodePort$|^healthCheckNodePort$/.test(field) && value >= chosenPorts.from && value <= chosenPorts.to;
    return chosen ? this.#add(String(value), 'port') : value;
  }

  #add(value: string, kind: string, prefix = ''): string {
    const known = this.#placeholders.get(value);
    if (known !== undefined) return known;
    const start = `${prefix}<${kind}-`;
    const count = [...this.#placeholders.values()].filter((each) => each.startsWith(start)).length + 1;
    const placeholder = `${start}${count}>`;
    this.#placeholders.set(value, placeholder);
    return placeholder;
  }
}
