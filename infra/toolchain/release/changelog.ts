/** A remark of the section that holds until the first release. */
const remark = /^No version has been released yet\.[^\n]*\n+/

/**
 * Returns the changelog with the unreleased entries under a version, and an empty section for the next ones.
 * @param date ISO 8601. @throws Error if there are no unreleased entries
 */
export function releaseChangelog(text: string, version: string, date: string): string {
  const [before = '', rest = ''] = text.split(/^## Unreleased\n+/m)
  const end = rest.search(/^## /m)
  const entries = (end === -1 ? rest : rest.slice(0, end)).replace(remark, '').trim()
  if (entries === '') throw new Error('CHANGELOG.md has no entries under "Unreleased"')
  const older = end === -1 ? '' : `\n${rest.slice(end)}`
  return `${before}## Unreleased\n\n## ${version} - ${date}\n\n${entries}\n${older}`
}
