/** Private-use characters around a found word until the text is rendered. Stripped from texts beforehand. */
export const [markStart, markEnd] = ['\ue000', '\ue001'] as const

/**
 * Private-use placeholders for characters that PostgreSQL's text search parser treats as syntax: it drops tags and
 * reads `a/b` as a path, `-2` as a negative number, `a.b` and `a_b` as a host, and `a@b` as an address.
 */
export const placeholders = {
  '<': '\ue002',
  '>': '\ue003',
  '/': '\ue004',
  '-': '\ue005',
  '.': '\ue006',
  _: '\ue007',
  '@': '\ue008',
} as const
