import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import {
  type BrowserFleet,
  checkOpenPage,
  describeInChromium,
  forms,
  startBrowserFleet,
  type WatchedPage,
} from '@wp/testkit/chromium'
import { previewOf } from '../fixture/preview.ts'
import { fakePreviews } from './fixture/fake-preview.ts'

const file = (name: string, content: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
const germanCsv = file('counts.csv', 'time;people\n31.01.2024 08:00;1.386,0\n01.02.2024 08:00;12,5\n')

const reading = (column: string, value: string, stored: string, format: string) => ({
  format: { timestamp_formats: { [column]: format } },
  values: [{ value, reading: stored }],
})
const ambiguous = {
  status: 400,
  body: {
    code: 'ambiguous_format',
    detail: 'The column "time" can be read in two ways',
    questions: [
      {
        column: 'time',
        readings: [
          reading('time', '01/02/2026', '2026-02-01', 'DD/MM/YYYY'),
          reading('time', '01/02/2026', '2026-01-02', 'MM/DD/YYYY'),
        ],
      },
    ],
  },
}

let fleet: BrowserFleet
let opened: WatchedPage

/** Opens the page of new data and chooses files there. */
async function choose(...files: ReturnType<typeof file>[]) {
  await opened.page.goto(fleet.address('data/new'))
  await opened.page.locator('input[type=file]').setInputFiles(files)
}

interface Source {
  data_source_id: string
  name: string
  config: Record<string, unknown>
}

const sources = (): Promise<Source[]> => fleet.api('GET', '/v1/data/sources')

describeInChromium('an upload', () => {
  beforeAll(async () => {
    fleet = await startBrowserFleet()
    opened = await fleet.openSignedIn()
  })
  afterEach(async () => {
    await opened.page.unrouteAll()
    expect(opened.problems).toEqual([])
  })
  afterAll(() => fleet?.stop())

  it('shows how a file will be read, and reads it again when a column is corrected', async () => {
    const { page } = opened
    const queries = await fakePreviews(page, () => ({ body: previewOf() }))
    await choose(germanCsv)
    await page.getByRole('heading', { name: 'What this file is about' }).and(page.locator(':focus')).waitFor()
    await page.getByRole('cell', { name: '31 Jan 2024, 08:00' }).waitFor()
    await page.getByRole('cell', { name: '1,386', exact: true }).waitFor()
    await page.getByLabel('How times of time are written').selectOption({ value: 'MM.DD.YYYY HH:mm' })
    await eventually(() => queries.length === 2, { description: 'the second preview' })
    expect(JSON.parse(queries[1]?.get('format') ?? '')).toEqual({
      columns: { time: { type: 'timestamp' } },
      timestamp_formats: { time: 'MM.DD.YYYY HH:mm' },
    })
    expect(await sources()).toEqual([])
  })

  it('asks which date is meant when a column can be read in two ways, and one click answers', async () => {
    const { page } = opened
    const queries = await fakePreviews(page, (format) =>
      format.timestamp_formats === undefined ? ambiguous : { body: previewOf() },
    )
    await choose(germanCsv)
    await page.getByRole('heading', { name: 'One question about this file' }).and(page.locator(':focus')).waitFor()
    await page.getByText('is “01/02/2026” 1 Feb 2026 or 2 Jan 2026?').waitFor()
    await page.getByRole('button', { name: '1 Feb 2026' }).click()
    await page.getByRole('heading', { name: 'What we recognized' }).waitFor()
    expect(queries.at(-1)?.get('format')).toBe('{"timestamp_formats":{"time":"DD/MM/YYYY"}}')
  })

  it('creates no source when a file is refused, and says why', async () => {
    const { page } = opened
    const detail = 'The file is an HTML page: "Sign in to continue"'
    await fakePreviews(page, () => ({ status: 400, body: { code: 'unexpected_format', detail } }))
    await choose(germanCsv)
    await page.getByRole('alert').getByText('“').or(page.getByText(detail)).first().waitFor()
    await page.getByRole('button', { name: 'Choose another file' }).click()
    await page.locator('input[type=file]').waitFor({ state: 'attached' })
    expect(await sources()).toEqual([])
  })

  it('says what to do when a spreadsheet of another program is chosen', async () => {
    await choose(file('plan.ods', 'x'))
    await opened.page.getByRole('alert').getByText('Save the spreadsheet as an Excel workbook').waitFor()
  })

  it('deletes the new source again when the upload is refused, and keeps the review', async () => {
    const { page } = opened
    await fakePreviews(page, () => ({ body: previewOf() }))
    const problem = { success: false, status: 403, code: 'quota_exceeded', title: 'The quota is exceeded', detail: 'x' }
    await page.route('**/records?*', (route) => route.fulfill({ status: 403, json: problem }))
    await choose(germanCsv)
    await page.getByLabel('Name', { exact: true }).fill('North building')
    await page.getByRole('button', { name: 'Upload 1 row' }).click()
    await page.getByText('no source was left behind').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('North building')
    expect(await sources()).toEqual([])
  })

  it('goes on by itself after an error of the platform that passes, under the same key', async () => {
    const { page } = opened
    await fakePreviews(page, () => ({ body: previewOf() }))
    const problem = { success: false, status: 503, code: 'service_unavailable', title: 'Unavailable', detail: 'x' }
    const keys: (string | undefined)[] = []
    await page.route('**/records?*', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length === 1) await route.fulfill({ status: 503, json: problem })
      else await route.continue()
    })
    await choose(germanCsv)
    await page.getByRole('button', { name: 'Upload 1 row' }).click()
    await eventually(() => keys.length === 2, { description: 'the second attempt' })
    const path = `/v1/data/sources/${(await sources())[0]?.data_source_id}`
    const isStored = async () => (await fleet.api('GET', `${path}/records`)).length === 2
    await eventually(isStored, { description: 'the rows of the file' })
    expect(keys).toEqual([expect.any(String), keys[0]])
    await fleet.api('DELETE', path)
  })

  it('deletes the new source again when it is cancelled or its tab is closed', async () => {
    const { page, context } = await fleet.openSignedIn()
    await fakePreviews(page, () => ({ body: previewOf() }))
    let isHeld = false
    await page.route('**/records?*', () => {
      isHeld = true // never answered
    })
    const begin = async () => {
      isHeld = false
      await page.goto(fleet.address('data/new'))
      await page.locator('input[type=file]').setInputFiles(germanCsv)
      await page.getByRole('button', { name: 'Upload 1 row' }).click()
      await eventually(() => isHeld, { description: 'the upload' })
      expect(await sources()).toHaveLength(1)
    }
    await begin()
    await page.getByRole('list', { name: 'Uploads' }).getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Cancelled. Nothing was stored.').waitFor()
    expect(await sources()).toEqual([])

    await begin()
    await page.close({ runBeforeUnload: true })
    await eventually(async () => (await sources()).length === 0, { description: 'the deletion of the source' })
    await context.close()
  })

  it('asks with the numbers before a file deletes most records of a source', async () => {
    const { page } = opened
    await fakePreviews(page, () => ({ body: previewOf() }))
    const { data_source_id: id } = await fleet.api('POST', '/v1/data/sources', { name: 'Floors', provider: 'upload' })
    await fleet.upload(id, [{ floor: 1 }])
    const detail = 'The upload would delete 980 of 1000 records'
    const problem = { success: false, status: 409, code: 'too_many_deletions', detail, deletions: 980, records: 1000 }
    const uploads: URLSearchParams[] = []
    await page.route('**/records?*', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      uploads.push(new URL(route.request().url()).searchParams)
      return uploads.length === 1 ? route.fulfill({ status: 409, json: problem }) : route.abort()
    })
    await page.goto(fleet.address(`data/${id}`))
    await page.locator('input[type=file]').setInputFiles(germanCsv)
    await page.getByLabel('Replace all records').check()
    await page.getByRole('button', { name: 'Upload 1 row' }).click()
    await page.getByText('Delete 980 of 1,000 records?').waitFor()
    expect(uploads.map((query) => query.get('allow_deletions'))).toEqual([null])
    await page.getByRole('button', { name: 'Delete 980 records' }).click()
    await page.getByText('The upload was interrupted').waitFor()
    expect(uploads.map((query) => query.get('allow_deletions'))).toEqual([null, 'true'])
    expect(uploads.map((query) => query.get('mode'))).toEqual(['full', 'full'])
    await fleet.api('DELETE', `/v1/data/sources/${id}`)
  })

  it('shows what a file changes in the source that it continues before it replaces days there', async () => {
    const { page } = opened
    const { data_source_id: id } = await fleet.api('POST', '/v1/data/sources', { name: 'Counts', provider: 'upload' })
    await fleet.upload(id, [{ people: 1 }])
    const continues = [{ data_source_id: id, name: 'Counts', until: '2024-02-01', overlaps: true }]
    const suggestions = { ...previewOf().suggestions, continues }
    const warnings = [
      { code: 'overlaps', message: 'All from 2024-02-01 were stored before. Upload with `mode=period`.' },
    ]
    await fakePreviews(page, (_, query) => ({
      body: query.get('data_source_id') === id ? previewOf({ warnings }) : previewOf({ suggestions }),
    }))
    const uploads: URLSearchParams[] = []
    await page.route('**/records?*', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      uploads.push(new URL(route.request().url()).searchParams)
      return route.abort()
    })
    await choose(germanCsv)
    await page.getByText('It ends on Feb 1, 2024 and has the same columns.').waitFor()
    await page.getByRole('button', { name: 'Replace these days there' }).click()
    await page.getByText('All from Feb 1, 2024 were stored before. If this file corrects an earlier one').waitFor()
    expect(await page.getByLabel('Replace the records of the days of the file').isChecked()).toBe(true)
    expect(uploads).toEqual([])
    await page.getByRole('button', { name: 'Upload 1 row' }).click()
    await page.getByText('The upload was interrupted').waitFor()
    expect(uploads.map((query) => query.get('mode'))).toEqual(['period'])
    await fleet.api('DELETE', `/v1/data/sources/${id}`)
  })

  it('reads a file as the person answered, and refuses a later one that contradicts it until it is accepted', async () => {
    const { page } = opened
    await choose(file('visits.csv', 'day;visits\n01/02/2026;5\n03/02/2026;7\n'))
    await page.getByRole('button', { name: '1 Feb 2026' }).click()
    await page.getByRole('button', { name: 'Upload 2 rows' }).click()
    await page.getByText(/2 new/).first().waitFor()
    await page.waitForURL(({ pathname }) => !pathname.endsWith('/new'))
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const source = () => fleet.api('GET', `/v1/data/sources/${id}`)
    expect((await source()).config.format).toMatchObject({
      delimiter: ';',
      timestamp_formats: { day: 'DD/MM/YYYY' },
      columns: { day: { type: 'timestamp' }, visits: { type: 'number' } },
    })
    const records = await fleet.api('GET', `/v1/data/sources/${id}/records`)
    expect(records.map(({ data }: { data: { day: string } }) => data.day).toSorted()).toEqual([
      '2026-02-01',
      '2026-02-03',
    ])

    await page.locator('input[type=file]').setInputFiles(file('later.csv', 'day,visits\n2026-03-31,5\n2026-04-01,7\n'))
    await page.getByRole('heading', { name: 'later.csv cannot be read' }).waitFor()
    expect((await source()).record_count).toBe(2)
    await page.getByRole('button', { name: 'Read it in its own format' }).click()
    await page.getByText('Files of this source are read in the corrected way from now on').waitFor()
    await page.getByRole('button', { name: 'Upload 2 rows' }).click()
    await page.getByRole('list', { name: 'Uploads' }).getByText('later.csv').waitFor()
    await eventually(async () => (await source()).record_count === 4, { description: 'four records' })
    expect((await source()).config.format).toMatchObject({ delimiter: ',' })
    await fleet.api('DELETE', `/v1/data/sources/${id}`)
  })

  it('is accessible and fits while a file is reviewed, in light, dark and 390 pixels', async () => {
    const { page } = opened
    const refused = [{ line: 3, column: 'time', value: 'Total', reason: 'is a total of the rows above' }]
    const warnings = [{ code: 'unnamed_column', message: 'The first column has no name' }]
    const suggestions = { ...previewOf().suggestions, nulls: ['-1'] }
    const review = { body: previewOf({ row_count: 2, refused, refused_count: 1, warnings, suggestions }) }
    const found: string[] = []
    for (const [answer, heading] of [
      [review, 'What we recognized'],
      [ambiguous, 'One question about this file'],
      [{ status: 400, body: { code: 'malformed_body', detail: 'The file is damaged' } }, 'counts.csv cannot be read'],
    ] as const) {
      await fakePreviews(page, () => answer)
      await choose(germanCsv)
      await page.getByRole('heading', { name: heading }).waitFor()
      for (const problem of await checkForms()) found.push(`${heading} ${problem}`)
    }
    expect(found).toEqual([])
  })

  it('reviews a file of other columns after the first one, as a source of its own', async () => {
    const { page } = opened
    await choose(germanCsv, file('visitors.csv', 'name;host\nAda;Bob\nCleo;Dan\n'))
    await page.getByText('Other columns, so you check this file after this one: counts.csv').waitFor()
    await page.getByRole('button', { name: 'Upload 2 rows' }).click()
    await page.getByRole('link', { name: 'Check the next file' }).click()
    await page.getByRole('cell', { name: '1,386', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Upload 2 rows' }).click()
    await page.waitForURL(/data\/src_/)
    expect(await page.getByRole('link', { name: 'Check the next file' }).count()).toBe(0)
    expect((await sources()).map(({ name }) => name)).toEqual(expect.arrayContaining(['counts', 'visitors']))
  })

  it('leaves out one file when its review is cancelled, and shows the others in their workspace only', async () => {
    const { page } = opened
    const later = [file('b.csv', 'room;seats;area\nA;2;9\n'), file('c.csv', 'team;head;costs\nA;Bob;12\n')]
    await choose(file('a.csv', 'name;host\nAda;Bob\n'), ...later)
    await page.getByRole('button', { name: 'Upload 1 row' }).click()
    await page.getByText('2 files to go. Next: ').waitFor()
    await page.locator('aside button[title]').click()
    await page.getByRole('menuitem', { name: 'Create a workspace' }).click()
    await page.getByLabel('Name').fill('Second')
    await page.getByRole('button', { name: 'Create workspace' }).click()
    await page.waitForURL((url) => !url.pathname.includes(fleet.workspaceId))
    await page.getByRole('button', { name: 'Second' }).waitFor()
    expect(await page.getByText('2 files to go. Next: ').count()).toBe(0)
    await page.goBack()
    await page.getByRole('link', { name: 'Check the next file' }).click()
    await page.getByRole('heading', { name: 'What we recognized' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('1 file to go. Next: ').waitFor()
    await page.getByRole('button', { name: 'Leave it out' }).click()
  })

  it('compares other files by their columns in any order, and says if they cannot be compared', async () => {
    const { page } = opened
    let status = 429
    await fakePreviews(page, (_, query) => {
      const columns = { 'b.csv': ['people', 'time'], 'c.csv': ['time', 'people', 'note'] }[`${query.get('file_name')}`]
      if (columns === undefined) return { body: previewOf() }
      if (status !== 200) return { status, body: { code: 'rate_limited', detail: 'Too many requests' } }
      return { body: previewOf({ columns: columns.map((name) => ({ ...previewOf().columns[0], name })) }) }
    })
    // The smallest is the first.
    await choose(germanCsv, file('b.csv', 'people;time\n'.repeat(9)), file('c.csv', 'time;people;note\n'.repeat(9)))
    await page.getByText('Too many requests').waitFor()
    expect(await page.getByRole('heading', { name: 'What we recognized' }).count()).toBe(1)
    expect(await page.getByText('Other columns').count()).toBe(0)
    status = 200
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('2 more files will be read in the same way: b.csv, c.csv').waitFor()
  })

  it('leads from a German file of badges to the building that it tells about, in two clicks', async () => {
    const { page } = opened
    await choose({ ...file('Zutritte.csv', ''), buffer: Buffer.from(germanSwipes(), 'latin1') })
    await page.getByText('Badge events: one row a swipe. Person = “Ausweisnummer”').waitFor()
    await page.getByRole('button', { name: 'See utilization' }).click()
    await page.getByRole('heading', { name: '2 places in the file are new to us' }).waitFor()
    expect(await checkForms()).toEqual([])
    await page.getByRole('button', { name: 'Add 2 places and count' }).click()
    await page.waitForURL(/buildings\/spc_/)
    const [dataset] = await fleet.api('GET', '/v1/solutions/workplace/datasets')
    expect(dataset).toMatchObject({ kind: 'badge_events', rows: { read: 280, used: 280, unused: [] } })
    const [source] = await fleet.api('GET', '/v1/data/sources')
    expect(source).toMatchObject({ record_access: 'aggregates', config: { pseudonymize: ['Ausweisnummer'] } })
    const building = new URL(page.url()).pathname.split('/').at(-1)
    const query = new URLSearchParams({ space_id: `${building}`, since: '2026-03-02', until: '2026-03-03' })
    const [day] = await fleet.api('GET', `/v1/solutions/workplace/utilization?${query}`)
    expect(day).toMatchObject({ attendance: 14, source: 'badge_events' })

    const listed = /workplace\/datasets\?.*data_source_id=/
    const replaceRows = (text: string) => text.replace('"read":280,"used":280', '"read":200,"used":200')
    await page.route(
      listed,
      async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, body: replaceRows(await response.text()) })
      },
      { times: 1 },
    )
    await page.goto(fleet.address(`data/${source.data_source_id}`))
    await page.getByText('200 of 280 rows counted so far').waitFor()
    await page.getByText('280 of 280 rows counted').waitFor()
    await page.getByText('The people in these rows are protected').waitFor()
    expect(await page.getByRole('link', { name: 'Forecast this data' }).getAttribute('href')).toContain(
      `forecasts/new?source=${source.data_source_id}`,
    )
  })
})

/** Twenty days of seven people on each of two floors, as a German machine exports them. */
function germanSwipes(): string {
  const rows = Array.from({ length: 20 }, (_, day) =>
    Array.from(
      { length: 14 },
      (_, person) =>
        `${String(day + 1).padStart(2, '0')}.03.2026 08:${person + 10};${4711 + person};${(person % 2) + 1}. Stock Süd`,
    ),
  )
  return ['Zeitpunkt;Ausweisnummer;Leser', ...rows.flat(), ''].join('\r\n')
}

/** Checks the page that is shown in every form, and leaves it in the first. */
async function checkForms(): Promise<string[]> {
  const found = await checkOpenPage(opened)
  await opened.page.setViewportSize(forms.light.viewport)
  return found
}
