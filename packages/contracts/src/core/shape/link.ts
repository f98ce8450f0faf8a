import { z } from 'zod'

/**
 * Query of the address that a link in a mail opens. Parameters that mail programs and trackers add are ignored, as are
 * white space and punctuation around the token, which users copy with it. The page reports a token that is not valid.
 */
export const linkQuery = z.object({ token: z.string().max(1_000).transform(trimToken).default('') })

/** Tokens consist of the characters of Base64 for URLs, and dots between their parts. */
function trimToken(text: string): string {
  const isOutside = (index: number) => !/[\w-]/.test(text[index] ?? '-')
  let [start, end] = [0, text.length]
  while (start < end && isOutside(start)) start++
  while (end > start && isOutside(end - 1)) end--
  return text.slice(start, end)
}
