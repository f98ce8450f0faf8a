// `npm run company -- --out <folder>` writes the files of a made company, and the truth beside them.
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { companyFiles, writeCompany } from './files/write-company.ts'

const usage = `usage: npm run company -- --out <folder> [options]
Writes the exports of a made company (spaces, teams, directory, badge events, bookings, counters, the calendar of a
room), and expected.json, the truth about it. The same options give the same bytes.
  --out <folder>       where to write; existing files of the same names are replaced
  --seed <n>           another company of the same shape (7)
  --people <n>         people over the whole time (1800)
  --floors <n>         floors (12)
  --days <n>           days (365)
  --first-day <date>   the first day (2025-01-01)
`

const text = { type: 'string' } as const

async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      out: text,
      seed: text,
      people: text,
      floors: text,
      days: text,
      'first-day': text,
      help: { type: 'boolean' },
    },
  })
  if (values.help === true) {
    process.stdout.write(usage)
    return 0
  }
  if (values.out === undefined) throw new Error('--out is missing: npm run company -- --help')
  // npm runs scripts in the root of the repository; a relative folder is meant from where the command was typed.
  const folder = resolve(process.env.INIT_CWD ?? '.', values.out)
  const numbers = { seed: values.seed, people: values.people, floors: values.floors, days: values.days }
  const given = Object.entries(numbers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, readNumber(name, value)] as const],
  )
  const firstDay = values['first-day']
  const options = { ...Object.fromEntries(given), ...(firstDay === undefined ? {} : { firstDay }) }
  for (const [name, rows] of Object.entries(await writeCompany(folder, options))) {
    // The names of the rows are those of the files.
    const path = join(folder, companyFiles[name as keyof typeof companyFiles])
    process.stdout.write(`${path}  ${rows} ${unitOf(name)}, ${(await stat(path)).size} bytes\n`)
  }
  return 0
}

const unitOf = (name: string) => (name === 'expected' ? 'days' : name === 'calendar' ? 'occurrences' : 'rows')

function readNumber(name: string, value: string): number {
  if (!/^\d+$/.test(value)) throw new Error(`--${name} must be a whole number, not ${value}`)
  return Number(value)
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`company: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
