import { afterAll, describe, expect, it } from '@jest/globals'
import { type Database, newId } from '@wp/database'
import { eventually } from '@wp/testkit'
import type { PrismaClient } from '#db'
import { issueNextInvoice } from '../../src/invoices/issue-invoice.ts'
import { createBillingDatabase } from './billing-database.ts'

const billing = await createBillingDatabase()
const database = billing.connect()
afterAll(async () => {
  await database.close()
  await billing.close()
})

const subscribedAt = '2026-01-15T08:00:00.000Z'
const graceEnd = '2026-02-16T08:00:00.000Z'
const beforeGraceEnd = '2026-02-16T07:59:59.999Z'

interface InvoiceFacts {
  id: string
  number: string
  workspace_id: string
  total_minor: string
  status: string
}

async function issuedTo(workspaceId: string): Promise<InvoiceFacts[]> {
  const { rows } = await billing.admin.query<InvoiceFacts>(
    'SELECT id, number, workspace_id, total_minor, status FROM invoices WHERE workspace_id = $1 ORDER BY period_start',
    [workspaceId],
  )
  return rows
}

const addUse = (workspaceId: string, hour: string, quantity: number) =>
  billing.admin.query(
    `INSERT INTO usage_totals (workspace_id, meter, hour, quantity) VALUES ($1, 'api_calls', $2, $3)
     ON CONFLICT (workspace_id, meter, hour) DO UPDATE SET quantity = usage_totals.quantity + excluded.quantity`,
    [workspaceId, hour, quantity],
  )

describe('the issuer', () => {
  it('issues the invoice of a period after its grace window, once, with its event and audit record', async () => {
    const workspaceId = newId('ws')
    await billing.subscribe(workspaceId, subscribedAt)
    const issueAt = (time: string) => issueNextInvoice(billing.issuer(database, time), { workspaceId, shard: 'test' })
    expect(await issueAt(beforeGraceEnd)).toBe(false)
    expect(await issuedTo(workspaceId)).toEqual([])
    expect(await issueAt(graceEnd)).toBe(true)
    expect(await issueAt(graceEnd)).toBe(false)
    const [invoice, ...others] = await issuedTo(workspaceId)
    expect(others).toEqual([])
    expect(invoice).toMatchObject({ status: 'open', total_minor: '5831' })
    expect(invoice?.number).toMatch(/^INV-2026-\d{6}$/)
    const { rows } = await billing.admin.query(
      'SELECT kind, data FROM platform.outbox WHERE workspace_id = $1 ORDER BY position',
      [workspaceId],
    )
    expect(rows).toEqual([
      {
        kind: 'INVOICE_ISSUED',
        data: {
          id: invoice?.id,
          status: 'open',
          number: invoice?.number,
          total_minor: 5831,
          currency: 'EUR',
          period_start: subscribedAt,
          period_end: '2026-02-15T08:00:00.000Z',
          due_at: '2026-03-02T08:00:00.000Z',
        },
      },
      { kind: 'AUDIT_RECORDED', data: expect.objectContaining({ action: 'invoice.issued' }) },
    ])
  })

  it('adds use that arrives in the grace window, and later use to the next invoice', async () => {
    const workspaceId = newId('ws')
    await billing.subscribe(workspaceId, subscribedAt)
    const issueAt = (time: string) => issueNextInvoice(billing.issuer(database, time), { workspaceId, shard: 'test' })
    await addUse(workspaceId, '2026-01-20T00:00:00Z', 20_000_000)
    expect(await issueAt(beforeGraceEnd)).toBe(false)
    await addUse(workspaceId, '2026-01-20T00:00:00Z', 1)
    expect(await issueAt(graceEnd)).toBe(true)
    await addUse(workspaceId, '2026-01-20T00:00:00Z', 1_000_000)
    expect(await issueAt('2026-03-16T08:00:00.000Z')).toBe(true)
    // 49.00 and one unit of 1.00 each, with 19 % tax: the late use is another unit.
    expect((await issuedTo(workspaceId)).map(({ total_minor }) => total_minor)).toEqual(['5950', '5950'])
  })

  it('catches up period after period, and passes over those of the free plan', async () => {
    const workspaceId = newId('ws')
    await billing.subscribe(workspaceId, subscribedAt)
    await billing.admin.query(
      `INSERT INTO plan_changes (workspace_id, occurred_at, from_plan, to_plan, from_seats, to_seats, anchor_at)
       VALUES ($1, '2026-02-15T08:00:00Z', 'team', 'free', 10, 10, $2),
              ($1, '2026-04-15T08:00:00Z', 'free', 'team', 10, 10, $2)`,
      [workspaceId, subscribedAt],
    )
    const late = billing.issuer(database, '2026-06-20T00:00:00.000Z')
    let finished = 0
    while (await issueNextInvoice(late, { workspaceId, shard: 'test' })) finished += 1
    expect(finished).toBe(5)
    const { rows } = await billing.admin.query(
      `SELECT to_char(period_start AT TIME ZONE 'UTC', 'MM-DD') AS start FROM invoices WHERE workspace_id = $1 ORDER BY 1`,
      [workspaceId],
    )
    expect(rows.map(({ start }) => start)).toEqual(['01-15', '04-15', '05-15'])
  })

  it('never changes an issued invoice, whatever the service does', async () => {
    for (const statement of ["UPDATE invoices SET content = '{}'", 'UPDATE invoices SET total_minor = 0'])
      await expect(database.worker.query(statement)).rejects.toThrow('permission denied')
  })
})

it('numbers invoices without gaps or doubles when 20 issuers compete and connections are killed', async () => {
  const workspaces = Array.from({ length: 60 }, () => newId('ws'))
  for (const workspaceId of workspaces) await billing.subscribe(workspaceId, subscribedAt)
  const replicas = Array.from({ length: 20 }, () => billing.connect())
  let kills = 0
  let failures = 0
  let isIssuing = true
  const killing = (async () => {
    while (isIssuing && kills < 25) {
      const { rows } = await billing.admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle' AND backend_type = 'client backend'
          ORDER BY random() LIMIT 1`,
      )
      kills += rows.length
    }
  })()
  const issueAll = async (replica: Database<PrismaClient>) => {
    for (const workspaceId of workspaces)
      await issueNextInvoice(billing.issuer(replica, graceEnd), { workspaceId, shard: 'test' }).catch(() => {
        failures += 1
      })
  }
  await Promise.all(replicas.map(issueAll))
  isIssuing = false
  await killing
  await eventually(async () => {
    await issueAll(database)
    return (
      (await billing.admin.query('SELECT FROM invoices WHERE workspace_id = ANY($1)', [workspaces])).rowCount === 60
    )
  })
  expect(kills).toBeGreaterThan(0)
  expect(failures).toBeGreaterThan(0)
  const { rows } = await billing.admin.query<{ number: string; workspaces: number }>(
    `SELECT number FROM invoices WHERE number LIKE 'INV-2026-%' ORDER BY number`,
  )
  expect(rows.map(({ number }) => number)).toEqual(
    rows.map((_, index) => `INV-2026-${String(index + 1).padStart(6, '0')}`),
  )
  const perWorkspace = await billing.admin.query(
    'SELECT workspace_id FROM invoices WHERE workspace_id = ANY($1) GROUP BY 1 HAVING count(*) <> 1',
    [workspaces],
  )
  expect(perWorkspace.rowCount).toBe(0)
  await Promise.all(replicas.map((replica) => replica.close()))
})
