import { afterAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { eventually, startTestService } from '@wp/testkit'
import { definition } from '../../src/index.ts'
import { issueNextInvoice } from '../../src/invoices/issue-invoice.ts'
import { connectBillingDatabase } from './billing-database.ts'

// So late that the issuer of the service itself issues nothing of the last months.
const service = await startTestService(definition, { INVOICE_GRACE_HOURS: '720', BILLING_TAX_PERCENT: '19' })
const billing = await connectBillingDatabase(service.env)
const database = billing.connect()
afterAll(async () => {
  await database.close()
  await billing.close()
  await service.stop()
})

/** A workspace that subscribed 45 days ago, so that its first period has ended. */
async function newWorkspace() {
  const workspaceId = newId('ws')
  const subscribedAt = new Date(Date.now() - 45 * 86_400_000)
  await billing.subscribe(workspaceId, subscribedAt.toISOString())
  const get = (path: string) => service.request('GET', `/v1/billing/${path}`, { caller: { workspaceId } })
  // The issuer of the service, for which nothing is due, may move the schedule in between.
  const issue = () =>
    eventually(async () => {
      await billing.admin.query(
        `UPDATE invoice_schedules SET due_at = now() - interval '1 hour' WHERE workspace_id = $1`,
        [workspaceId],
      )
      return await issueNextInvoice(billing.issuer(database, new Date().toISOString()), { workspaceId, shard: 'test' })
    })
  return { workspaceId, get, issue }
}

describe('the invoices of a workspace', () => {
  it('are drafts until they are issued, then unchanged', async () => {
    const { workspaceId, get, issue } = await newWorkspace()
    const drafts = (await get('invoices')).body.data
    expect(drafts).toMatchObject([
      { status: 'draft', number: null, total_minor: 5831 },
      { status: 'draft', number: null, total_minor: 5831 },
    ])
    const [current, ended] = drafts
    expect(ended.period_end).toBe(current.period_start)
    expect((await get(`invoices/${ended.id}`)).body.data).toEqual(ended)
    await issue()
    const issued = (await get(`invoices/${ended.id}`)).body.data
    expect(issued).toMatchObject({ id: ended.id, status: 'open', lines: ended.lines, total_minor: 5831 })
    expect((await get('invoices')).body.data.map(({ status }: { status: string }) => status)).toEqual(['draft', 'open'])
    // Use recorded now does not change what was issued.
    await billing.admin.query(
      `INSERT INTO usage_totals (workspace_id, meter, hour, quantity) VALUES ($1, 'api_calls', $2, 90000000)`,
      [workspaceId, ended.period_start],
    )
    expect((await get(`invoices/${ended.id}`)).body.data).toEqual(issued)
    const [draft] = (await get('invoices')).body.data
    expect(draft.lines).toContainEqual(expect.objectContaining({ kind: 'adjustment', amount_minor: 7_000 }))
  })

  it('can be filtered by status and paged', async () => {
    const { get, issue } = await newWorkspace()
    await issue()
    const statuses = async (query: string) =>
      (await get(`invoices?${query}`)).body.data.map(({ status }: { status: string }) => status)
    expect(await statuses('status=draft')).toEqual(['draft'])
    expect(await statuses('status=open')).toEqual(['open'])
    expect(await statuses('status=paid')).toEqual([])
    const first = (await get('invoices?limit=1')).body
    expect(first).toMatchObject({ data: [{ status: 'draft' }], pagination: { has_more: true } })
    expect((await get(`invoices?limit=1&cursor=${first.pagination.next_cursor}`)).body).toMatchObject({
      data: [{ status: 'open' }],
      pagination: { has_more: false },
    })
    expect((await get('invoices?status=unknown')).status).toBe(400)
  })

  it('do not exist where there is nothing to pay, nor for another workspace', async () => {
    const { get } = await newWorkspace()
    const [{ id }] = (await get('invoices')).body.data
    const caller = { workspaceId: newId('ws') }
    expect((await service.request('GET', '/v1/billing/invoices', { caller })).body.data).toEqual([])
    expect((await service.request('GET', `/v1/billing/invoices/${id}`, { caller })).status).toBe(404)
    expect((await service.request('GET', `/v1/billing/invoices/${id}/pdf`, { caller })).status).toBe(404)
  })

  it('can be downloaded as PDF', async () => {
    const { get, issue } = await newWorkspace()
    const [, { id }] = (await get('invoices')).body.data
    await issue()
    const { headers, body, status } = await get(`invoices/${id}/pdf`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/pdf')
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="INV-\d{4}-\d{6}\.pdf"$/)
    expect(body.slice(0, 5)).toBe('%PDF-')
  })
})

describe('the billing details', () => {
  it('are frozen into the invoices issued after them', async () => {
    const { workspaceId, get, issue } = await newWorkspace()
    const change = (body: unknown) => service.request('PATCH', '/v1/billing/details', { caller: { workspaceId }, body })
    const empty = { workspace_id: workspaceId, company_name: null, address: null, vat_id: null, email: null }
    expect((await get('details')).body.data).toEqual(empty)
    expect((await change({ company_name: 'Before GmbH', vat_id: 'DE1' })).status).toBe(200)
    expect((await change({ vat_id: null, address: 'Street 1\nBerlin' })).body.data).toEqual({
      ...empty,
      company_name: 'Before GmbH',
      address: 'Street 1\nBerlin',
    })
    await issue()
    await change({ company_name: 'After GmbH' })
    const [draft, issued] = (await get('invoices')).body.data
    expect(draft.customer.company_name).toBe('After GmbH')
    expect(issued.customer).toMatchObject({ company_name: 'Before GmbH', address: 'Street 1\nBerlin' })
    const { rows } = await billing.admin.query(
      `SELECT data FROM platform.outbox WHERE workspace_id = $1 AND data->>'action' = 'billing_details.updated'`,
      [workspaceId],
    )
    expect(rows).toHaveLength(3)
    expect(JSON.stringify(rows)).not.toContain('GmbH')
  })

  it.each([
    ['an empty change', {}],
    ['a mail address that is none', { email: 'nobody' }],
    ['an unknown field', { iban: 'DE' }],
    ['a name that is too long', { company_name: 'x'.repeat(201) }],
  ])('reject %s', async (_, body) => {
    expect(await service.request('PATCH', '/v1/billing/details', { body })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    })
  })
})
