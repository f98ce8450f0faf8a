import { afterAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { createTestDatabase, runProgram } from '@wp/testkit'
import { connectBillingDatabase, insertOpenInvoice } from '../invoices/billing-database.ts'

const urls = await createTestDatabase('billing')
const billing = await connectBillingDatabase({ DATABASE_URL: urls.url, DATABASE_WORKER_URL: urls.workerUrl })
afterAll(async () => {
  await billing.close()
  await urls.drop()
})

/** Runs the command as an operator does. */
async function command(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { SHARD: 'test', DATABASE_URL: urls.url, DATABASE_WORKER_URL: urls.workerUrl }
  try {
    return { code: 0, ...(await runProgram('services/billing/src/invoices-main.ts', args, env)) }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string } // of execFile
    return { code, stdout, stderr }
  }
}

describe('npm run invoices', () => {
  it('lists open invoices, and records that one is paid once, with an audit record', async () => {
    const { id, number, workspaceId } = await insertOpenInvoice(billing, newId('ws'))
    expect((await command('open')).stdout).toContain(`${number}  ${workspaceId}  EUR 58.31`)
    expect(await command('paid', number, '--reference', 'bank 17')).toMatchObject({ code: 0 })
    expect(await command('paid', number, '--reference', 'bank 18')).toMatchObject({
      code: 1,
      stderr: `${number} is paid; only an open invoice can change\n`,
    })
    const { rows } = await billing.admin.query('SELECT status, payment_reference FROM invoices WHERE id = $1', [id])
    expect(rows).toEqual([{ status: 'paid', payment_reference: 'bank 17' }])
    const audited = await billing.admin.query(`SELECT data->>'action' AS action FROM platform.outbox`)
    expect(audited.rows).toEqual([{ action: 'invoice.paid' }])
    expect((await command('open')).stdout).not.toContain(number)
  })

  it('refuses an unknown invoice and an incomplete command', async () => {
    expect(await command('void', 'INV-2026-999999', '--reason', 'wrong')).toMatchObject({
      code: 1,
      stderr: 'there is no invoice INV-2026-999999\n',
    })
    expect(await command('paid', 'INV-2026-999999')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^usage:/),
    })
  })
})
