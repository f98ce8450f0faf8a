import { type AccessContext, type AccessFixtures, eventually } from '@wp/testkit'
import { workplaceFixtures } from './access-workplace.ts'

const runs = '/v1/solutions/workplace/forecast/runs'

/** Ten weeks of daily values with quiet Fridays: enough for a forecast and a recommendation. */
function forecastBody() {
  const points = Array.from({ length: 70 }, (_, day) => {
    const ts = new Date(Date.UTC(2026, 0, 5 + day))
    const weekday = ts.getUTCDay()
    return { ts: ts.toISOString(), value: weekday === 5 ? 10 : weekday === 0 || weekday === 6 ? 0 : 100 + (day % 3) }
  })
  return { series: [{ key: { building: 'north' }, points }], frequency: 'day', timezone: 'UTC', horizon: 7 }
}

const createRun = (context: AccessContext): Promise<string> => context.createId(runs, forecastBody())

/** Creates a run and waits until it is finished. */
async function createFinishedRun(context: AccessContext, body: object = forecastBody()): Promise<string> {
  const id = await context.createId(runs, body)
  const isFinished = async () => (await context.read(`${runs}/${id}`)).status === 'finished'
  await eventually(isFinished, { description: 'the end of the forecast run' })
  return id
}

/** Creates a finished run of the records of a data source. */
async function createSourceRun(context: AccessContext): Promise<string> {
  const { series, ...options } = forecastBody()
  const source = { name: context.uniqueName(), provider: 'upload' }
  const sourceId = await context.createId('/v1/data/sources', source, 'data_source_id')
  await context.create(`/v1/data/sources/${sourceId}/records`, series[0]?.points)
  const fields = { data_source_id: sourceId, timestamp_field: 'ts', value_field: 'value' }
  return createFinishedRun(context, { ...options, ...fields })
}

/** Each of a building of its own: a second run of one building would refresh its recommendation. */
async function createRecommendation(context: AccessContext): Promise<string> {
  const [series] = forecastBody().series
  const own = { ...forecastBody(), series: [{ ...series, key: { building: context.uniqueName() } }] }
  const id = await createFinishedRun(context, own)
  return (await context.read(`/v1/solutions/workplace/recommendations?forecast_run_id=${id}`))[0].id
}

export const accessFixtures: AccessFixtures = {
  ...workplaceFixtures,
  'solutions.listSolutions': {},
  'solutions.listForecastRuns': {},
  'solutions.startForecastRun': {
    request: { body: forecastBody() },
    alternativeBody: { ...forecastBody(), horizon: 8 },
    async foreignReference(context) {
      const source = { name: context.uniqueName(), provider: 'upload' }
      const { series: _series, ...options } = forecastBody()
      const sourceId = await context.createId('/v1/data/sources', source, 'data_source_id')
      await context.create(`/v1/data/sources/${sourceId}/records`, [{ ts: '2026-01-05T00:00:00Z', value: 1 }])
      return {
        body: {
          ...options,
          data_source_id: sourceId,
          timestamp_field: 'ts',
          value_field: 'value',
        },
        pointer: '/data_source_id',
      }
    },
  },
  'solutions.getForecastRun': { params: async (context) => ({ id: await createRun(context) }) },
  'solutions.getForecastHistory': { params: async (context) => ({ id: await context.createOnce(createSourceRun) }) },
  'solutions.getForecastContent': { params: async (context) => ({ id: await context.createOnce(createSourceRun) }) },
  'solutions.getForecastAccuracy': { params: async (context) => ({ id: await context.createOnce(createSourceRun) }) },
  'solutions.cancelForecastRun': { params: async (context) => ({ id: await createRun(context) }) },
  'solutions.deleteForecastRun': { params: async (context) => ({ id: await createFinishedRun(context) }) },
  'solutions.listRecommendations': {},
  'solutions.getRecommendation': {
    params: async (context) => ({ id: await createRecommendation(context) }),
  },
  'solutions.updateRecommendation': {
    params: async (context) => ({ id: await createRecommendation(context) }),
    request: { body: { status: 'accepted' } },
  },
}
