const controls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g
const [firstStrongIsolate, popDirectionalIsolate] = ['\u2068', '\u2069']
const rightToLeft =
  /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]|\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}|\p{Script=Adlam}/u

/**
 * Returns a text of a user for a sentence, such that it cannot change the order of the words around it: a text with a
 * direction of its own is isolated, and without the characters that would end the isolation (Unicode Annex 9). Other
 * texts stay as they are.
 */
export const isolate = (text: string): string =>
  rightToLeft.test(text) ? firstStrongIsolate + withoutDirections(text) + popDirectionalIsolate : text

/**
 * Returns a text of the platform that has texts of users in it, such as the title of a notification, without the
 * characters by which those would change the order of its words.
 */
export const withoutDirections = (text: string): string => text.replaceAll(controls, '')

/** Returns JSON with escapes in place of characters that change directions, so that its members keep their order. */
export const escapeDirections = (json: string): string =>
  json.replaceAll(controls, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Returns what a person sees of a text and can type: without invisible characters and repeated spaces. */
export const visibleText = (text: string): string =>
  text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Returns the address if a browser may open it: of the schemes `http` and `https` only. */
export function toSafeUrl(address: string): string | undefined {
  const url = URL.parse(address)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined
}
