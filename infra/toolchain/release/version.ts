import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** The files that name the version, each with what finds it. The manifests of the workspace are found by their name. */
const lines: Readonly<Record<string, RegExp>> = {
  'package.json': /(?<="version": ")[^"]+/,
  'clients/python/pyproject.toml': /(?<=^version = ")[^"]+/m,
  'packages/client/src/client.ts': /(?<=clientVersion = ')[^']+/,
  'services/mcp/src/create-protocol-server.ts': /(?<=version: ')[^']+/,
  'k8s/chart/Chart.yaml': /(?<=^(?:version|appVersion): ).+/gm,
}

/** Returns the version of the repository. */
export const readVersion = (): string => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version

/** Returns every file that names the version, with the pattern that finds it. */
export function versionFiles(): [path: string, pattern: RegExp][] {
  const manifests = globSync('{bench,gateway,infra,packages,services}{,/*,/*/*}/package.json', {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path),
  }).filter((path) => JSON.parse(readFileSync(join(root, path), 'utf8')).version !== undefined)
  return [...Object.entries(lines), ...manifests.map((path): [string, RegExp] => [path, /(?<="version": ")[^"]+/])]
}

/** Writes the version into every file that names it. @returns the files. @throws Error if a file does not name one */
export function writeVersion(version: string): string[] {
  return versionFiles().map(([path, pattern]) => {
    const text = readFileSync(join(root, path), 'utf8')
    if (text.search(pattern) === -1) throw new Error(`${path} names no version`)
    writeFileSync(join(root, path), text.replace(pattern, version))
    return path
  })
}

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
