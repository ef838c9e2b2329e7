// SPDX-License-Identifier: Apache-2.0
import { Timestamp } from './value.ts';

const shape = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:[.,](\d+))?(?:([Zz])|([+-])(\d\d):(\d\d))$/;

export const earliest = -62_135_596_800_000_000_000n;
export const latest = 253_402_300_799_999_999_999n;

/** Parses RFC 3339; undefined when it is invalid. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const [, date, time, fraction = '', , sign, hours = '0', minutes = '0'] = shape.exec(text) ?? [];
  if (date === undefined || time === undefined) return undefined;
  const milliseconds = Date.parse(`${date}T${time}Z`);
  // Date.parse accepts 31 April as 1 May.
  if (Number.isNaN(milliseconds) || new Date(milliseconds).toISOString().slice(0, 19) !== `${date}T${time}`) {
    return undefined;
  }
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const whole = BigInt(milliseconds - offset * 60_000) * 1_000_000n;
  return new Timestamp(whole + BigInt(fraction.slice(0, 9).padEnd(9, '0')), offset);
}

/** Formats RFC 3339 with the necessary digits, in the original UTC offset. */
export function formatTimestamp({ nanoseconds, offset }: Timestamp): string {
  const local = nanoseconds + BigInt(offset) * 60_000_000_000n;
  const fraction = ((local % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const seconds = new Date(Number((local - fraction) / 1_000_000n)).toISOString().slice(0, 19);
  const digits = fraction === 0n ? '' : `.${String(fraction).padStart(9, '0').replace(/0+$/, '')}`;
  if (offset === 0) return `${seconds}${digits}Z`;
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return `${seconds}${digits}${offset < 0 ? '-' : '+'}${pad(hours)}:${pad(minutes)}`;
}

function pad(part: number): string {
  return String(part).padStart(2, '0');
}
