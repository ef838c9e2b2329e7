// SPDX-License-Identifier: Apache-2.0

const surrogate = /[\uD800-\uDFFF]/;

/** How many characters a text has: code points, as the language counts. */
export function lengthOf(text: string): number {
  if (!surrogate.test(text)) return text.length;
  let length = 0;
  for (let index = 0; index < text.length; index += widthAt(text, index)) length++;
  return length;
}

/** Where in the text the character with this number begins; the text has at least that many. */
export function offsetOf(text: string, character: number): number {
  if (!surrogate.test(text)) return character;
  let offset = 0;
  for (let passed = 0; passed < character; passed++) offset += widthAt(text, offset);
  return offset;
}

/** How many UTF-16 units the character that begins here takes. */
export function widthAt(text: string, offset: number): 1 | 2 {
  return (text.codePointAt(offset) ?? 0) > 0xff_ff ? 2 : 1;
}
