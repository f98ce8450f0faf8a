import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the URIs of the Debian mirrors that this machine's apt uses: of the `deb` entries in `sources.list`,
 * `sources.list.d/*.list` and `sources.list.d/*.sources` for the machine's own release with the component `main`.
 * @param root the root of the file system
 */
export function readDebianMirrors(root = '/'): string[] {
  const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '')
  const codename = /^VERSION_CODENAME="?([a-z]+)/m.exec(read(join(root, 'etc/os-release')))?.[1] ?? ''
  const apt = join(root, 'etc/apt')
  const files = (pattern: string) => globSync(pattern, { cwd: apt }).map((file) => read(join(apt, file)))
  const entries = [
    ...[read(join(apt, 'sources.list')), ...files('sources.list.d/*.list')].flatMap(parseOneLineEntries),
    ...files('sources.list.d/*.sources').flatMap(parseDeb822Entries),
  ]
  const isMain = ({ suites, components }: AptEntry) =>
    (suites.includes(codename) || suites.includes('stable')) && components.includes('main')
  return [...new Set(entries.filter(isMain).flatMap(({ uris }) => uris))]
}

interface AptEntry {
  uris: string[]
  suites: string[]
  components: string[]
}

/** Parses lines such as `deb [arch=amd64 signed-by=…] http://mirror/debian bookworm main`. */
function parseOneLineEntries(text: string): AptEntry[] {
  return text.split('\n').flatMap((line) => {
    const [, uri = '', suite = '', components = ''] =
      /^\s*deb\s+(?:\[[^\]]*\]\s+)?(\S+)\s+(\S+)\s+([^#]*)/.exec(line) ?? []
    return uri === '' ? [] : [{ uris: [uri], suites: [suite], components: splitWords(components) }]
  })
}

/** Parses stanzas of fields such as `Types: deb`, separated by empty lines (deb822). */
function parseDeb822Entries(text: string): AptEntry[] {
  const lines = text.split('\n').filter((line) => !line.startsWith('#'))
  return lines
    .join('\n')
    .split(/\n\s*\n/)
    .map((stanza) => (name: string) => {
      // A line that starts with a space continues the field.
      const value = new RegExp(`^${name}:((?:.*)(?:\\n[ \\t].*)*)`, 'im').exec(stanza)?.[1]
      return splitWords(value ?? '')
    })
    .filter((field) => field('Types').includes('deb') && field('Enabled')[0] !== 'no')
    .map((field) => ({ uris: field('URIs'), suites: field('Suites'), components: field('Components') }))
}

const splitWords = (text: string): string[] => text.split(/\s+/).filter(Boolean)
