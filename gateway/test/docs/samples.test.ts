import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestFleet, type TestFleet } from '@wp/testkit'
import { compileSamples } from './fixture/compile-samples.ts'
import { readGuides, type Sample } from './fixture/guides.ts'
import {
  createSampleProject,
  findPython,
  runSamples,
  type SampleLanguage,
  type SampleProject,
} from './fixture/run-samples.ts'

const guides = readGuides()
const languages: readonly SampleLanguage[] = ['sh', 'ts', 'python']
const isRun = ({ notRun, isResponse }: Sample) => notRun === undefined && !isResponse
const programs = guides.flatMap(({ name, samples }) =>
  languages
    .filter((language) => samples.some((sample) => sample.language === language && isRun(sample)))
    .map((language) => ({ name, language, samples })),
)
const python = findPython()

let fleet: TestFleet
let project: SampleProject
let env: Record<string, string>
beforeAll(async () => {
  ;[fleet, project] = await Promise.all([startTestFleet(), createSampleProject()])
  const { apiKey, clientId, clientSecret } = fleet.owner
  env = { WP_API_KEY: apiKey, WP_CLIENT_ID: clientId, WP_CLIENT_SECRET: clientSecret }
})
afterAll(async () => {
  project?.remove()
  await fleet?.stop()
})

describe('a sample of a guide', () => {
  it.each(programs)('runs: $language of $name', async ({ language, samples }) => {
    if (language === 'python' && python === undefined) {
      process.stdout.write(
        'not run: there is no Python with the client: run clients/python/run-tests.sh, and set PYTHON to that of its environment\n',
      )
      return
    }
    const own = samples.filter((sample) => sample.language === language && isRun(sample))
    const run = await runSamples(project, own, language, fleet.baseUrl, env)
    if (run.exitCode !== 0)
      throw new Error(`sample ${run.outputs.length} of ${own.length}: ${run.errors}${run.outputs.at(-1)}`)
    if (language === 'sh') expectResponses(samples, own, run.outputs)
  })

  it('is run, is the response of one that is, or says why it is not run', () => {
    const others = guides.flatMap(({ name, samples }) =>
      samples
        .filter((sample) => !languages.some((language) => language === sample.language) || !isRun(sample))
        .filter(({ isResponse }) => !isResponse)
        .map(({ line, notRun }) => ({ place: `${name}:${line}`, notRun })),
    )
    for (const { place, notRun } of others) process.stdout.write(`not run: ${place}: ${notRun}\n`)
    expect(others.filter(({ notRun }) => notRun === undefined)).toEqual([])
  })
})

describe('the TypeScript of the guides', () => {
  it('compiles with the types of the package', () => {
    const programs = guides.flatMap(({ name, samples }) => {
      const own = samples.filter(({ language }) => language === 'ts')
      // A sample that is not run is a program of its own; the others continue each other.
      const texts = [...own.filter(({ notRun }) => notRun), { code: codeOf(own.filter(isRun)) }]
      return texts.map(({ code }, index) => [`${name.replaceAll(/\W/g, '-')}-${index}`, code] as const)
    })
    expect(compileSamples(project, new Map(programs))).toBe('')
  })
})

const codeOf = (samples: readonly Sample[]) => samples.map(({ code }) => code).join('\n')

/** Compares each JSON response of a guide with the output of the last command before it. */
function expectResponses(samples: readonly Sample[], commands: readonly Sample[], outputs: readonly string[]): void {
  for (const response of samples.filter(({ isResponse }) => isResponse)) {
    const index = commands.findLastIndex(({ line }) => line < response.line)
    const actual = JSON.parse(outputs[index]?.trim() || 'null')
    expect({ line: response.line, response: shapeOf(actual) }).toEqual({
      line: response.line,
      response: shapeOf(JSON.parse(response.code)),
    })
  }
}

/** Replaces values by their types: identifiers and texts differ from run to run. Constants of the API stay. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, constants.has(name) ? member : shapeOf(member)]),
    )
  return typeof value === 'string' ? 'text' : value
}

const constants = new Set(['code', 'status', 'pointer', 'title', 'name'])
