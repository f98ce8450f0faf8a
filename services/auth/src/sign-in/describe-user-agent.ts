const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

/** Returns browser and system of a `User-Agent` field; the first word of one that is not of a browser. */
export function describeUserAgent(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'Unknown device'
  const browser = browsers.find(([mark]) => userAgent.includes(mark))?.[1]
  const system = systems.find(([mark]) => userAgent.includes(mark))?.[1]
  if (browser === undefined) return nameProgram(userAgent)
  return system === undefined ? browser : `${browser} on ${system}`
}

/** Returns the first word, without what a mail program could take for a link: who signs in chooses the text. */
const nameProgram = (userAgent: string): string =>
  (userAgent.split(/[\s/]/)[0] ?? '').replaceAll(/[^\w-]/g, '').slice(0, 40) || 'Unknown device'
