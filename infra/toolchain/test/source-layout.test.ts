import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from '@jest/globals'

const root = join(import.meta.dirname, '../../..')
const maxFilesInFolder = 15
const maxCommentColumns = 120

const ignored = /(^|\/)(node_modules|dist|generated)(\/|$)/
const sources = globSync('{gateway,services,packages,infra,bench}/**/*.{ts,tsx,mjs,css}', {
  cwd: root,
  exclude: (path) => ignored.test(path),
})

/** One file for each endpoint or command: their number grows with that of the endpoints or commands. */
const foldersOfCommands = /(^|\/)operations$|^infra\/toolchain$/

/** The packages whose statements may name a platform table. Retention and deletion have the names as parameters. */
const platformTables: Record<string, RegExp> = {
  database: /^(idempotency|meter_limits|outbox|plan_limits|quota_\w+)$/,
  events: /^(dead_events|deferred_events|inbox|outbox|streams)$/,
  jobs: /^(job_turns|jobs|schedules|workspace_data_deletions)$/,
}

/** A line of a comment, but of a table, which a line break would end. */
const comment = /^ *(\/\*\*|\*|\/\/) (?!\|)/

describe('the sources', () => {
  it(`are in folders of at most ${maxFilesInFolder} files, but operations and commands`, () => {
    const files = Map.groupBy(sources, (path) => dirname(path))
    const large = [...files].filter(
      ([folder, { length }]) => length > maxFilesInFolder && !foldersOfCommands.test(folder),
    )
    expect(sources.length).toBeGreaterThan(3_000)
    expect(large.map(([folder, { length }]) => `${folder}: ${length}`)).toEqual([])
  })

  it(`have comments of at most ${maxCommentColumns} columns`, () => {
    const long = sources.flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          line.length > maxCommentColumns && comment.test(line) ? [`${path}:${index + 1}`] : [],
        ),
    )
    expect(long).toEqual([])
  })

  it('write the members of an object where it is made, without spreading a literal', () => {
    const spread = sources.filter((path) => /\.\.\.\{/.test(readFileSync(join(root, path), 'utf8')))
    expect(spread).toEqual([])
  })

  it('name platform tables in statements of the packages that own them only', () => {
    const named = sources
      .filter((path) => /^(gateway|services\/[^/]+|packages\/[^/]+)\/src\//.test(path))
      .flatMap((path) =>
        [...readFileSync(join(root, path), 'utf8').matchAll(/\b(?:FROM|INTO|JOIN|UPDATE) platform\.(\w+)/g)].map(
          ([, table = '']) => ({ path, table }),
        ),
      )
    const isOwned = ({ path, table }: { path: string; table: string }) =>
      platformTables[/^packages\/([^/]+)/.exec(path)?.[1] ?? '']?.test(table) === true
    expect(named.length).toBeGreaterThan(50)
    expect(named.filter((each) => !isOwned(each))).toEqual([])
  })
})
