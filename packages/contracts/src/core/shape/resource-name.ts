import { z } from 'zod'

/**
 * The name of a resource, on one line. The output is trimmed, composed (NFC), and has one space for each run of white
 * space. Control characters and invisible characters are refused, because names that look the same must be the same.
 */
export const resourceName = (max: number) =>
  z
    .string()
    .overwrite((text) => text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim())
    .min(1)
    .max(max)
    .check((context) => {
      const character = findInvisible(context.value)
      if (character === undefined) return
      const message = `must not contain invisible characters such as ${codePointOf(character)}`
      context.issues.push({ code: 'custom', input: context.value, message })
    })

/** Returns the first character that has no width or changes the characters around it. */
function findInvisible(text: string): string | undefined {
  // Most names have none, so that few processes compile the patterns of sequences, which takes 20 ms.
  if (!invisible.test(text)) return undefined
  return invisible.exec(text.replaceAll(emojiSequence(), '').replaceAll(joinerInWord(), ''))?.[0]
}

const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb]/u

/** Emoji such as families and flags are sequences with joiners, variation selectors and tags. */
const emojiSequence = () => /\p{RGI_Emoji}/gv

/**
 * Joiners that the spelling of words needs
 * (https://www.unicode.org/reports/tr31/#Layout_and_Format_Control_Characters).
 */
const joiningScripts = [
  'Arab',
  'Syrc',
  'Mong',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
  'Sinh',
]
const joiningLetter = `[${joiningScripts.map((script) => `\\p{Script=${script}}`).join('')}]`
const joinerInWord = () => new RegExp(`(?<=${joiningLetter})[\\u200c\\u200d](?=${joiningLetter})`, 'gu')

const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
