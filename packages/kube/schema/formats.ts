// SPDX-License-Identifier: Apache-2.0
import { isIP, isIPv4, isIPv6 } from 'node:net';

const day = /^\d{4}-\d\d-\d\d$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;
const label = String.raw`[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?`;
const unit = '(?:ns|us|µs|ms|s|m|h|d|w|(?:nano|micro|milli)?seconds?|minutes?|hours?|days?|weeks?)';

/** The known formats; unknown ones allow every text. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: matches(/^[0-9a-f]{24}$/i),
  byte: matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
  cidr: (text) => {
    const [, address = '', length = ''] = /^(.+)\/(\d{1,3})$/.exec(text) ?? [];
    return (isIPv4(address) && Number(length) <= 32) || (isIPv6(address) && Number(length) <= 128);
  },
  date: (text) => day.test(text) && Number.isFinite(Date.parse(text)),
  'date-time': (text) => time.test(text) && Number.isFinite(Date.parse(text)),
  duration: matches(new RegExp(String.raw`^(?:P.+|(?:\d+(?:\.\d+)?\s*${unit}\s*)+)$`)),
  email: matches(/^[^\s@]+@[^\s@]+$/),
  hexcolor: matches(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i),
  hostname: (text) => text.length <= 255 && new RegExp(String.raw`^${label}(?:\.${label})*\.?$`, 'i').test(text),
  ipv4: isIPv4,
  ipv6: isIPv6,
  ip: (text) => isIP(text) > 0,
  isbn: matches(/^(?:[\d-]{9,16}[\dX])$/),
  mac: matches(/^(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i),
  uri: (text) => URL.canParse(text) || /^\/[^\s]*$/.test(text),
  uuid: matches(/^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i),
};

/** Whether the text has the format; unknown formats match every text. */
export function hasFormat(text: string, format: string): boolean {
  return !Object.hasOwn(formats, format) || formats[format]?.(text) === true;
}

function matches(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text);
}
