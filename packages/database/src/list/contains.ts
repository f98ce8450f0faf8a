/** Returns the Prisma condition for a text column that contains a text, in upper or lower case. */
export const contains = (text: string) => ({
  // Prisma passes the wildcards of LIKE on.
  contains: text.replaceAll(/[\\%_]/g, String.raw`\$&`),
  mode: 'insensitive' as const,
})
