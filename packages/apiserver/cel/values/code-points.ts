// SPDX-License-Identifier: Apache-2.0

const surrogate = /[\uD800-\uDFFF]/;
/** Below this length a loop is faster than a regular expression; the size of every text that is an argument is counted. */
const shortText = 64;

function hasSurrogate(text: string): boolean {
  if (text.length > shortText) return surrogate.test(text);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd8_00 && unit <= 0xdf_ff) return true;
  }
  return false;
}

/** The length of a string in code points. */
export function lengthOf(text: string): number {
  if (!hasSurrogate(text)) return text.length;
  let length = 0;
  for (let index = 0; index < text.length; index += widthAt(text, index)) length++;
  return length;
}

/** The UTF-16 offset of a code point index, which must exist. */
export function offsetOf(text: string, character: number): number {
  if (!hasSurrogate(text)) return character;
  let offset = 0;
  for (let passed = 0; passed < character; passed++) offset += widthAt(text, offset);
  return offset;
}

/** The number of UTF-16 units of the character at this offset. */
export function widthAt(text: string, offset: number): 1 | 2 {
  return (text.codePointAt(offset) ?? 0) > 0xff_ff ? 2 : 1;
}
