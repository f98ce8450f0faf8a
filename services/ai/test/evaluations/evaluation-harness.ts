import { expect } from '@jest/globals'
import { eventually } from '@wp/testkit'
import type { RunHarness } from '../fixture/run-harness.ts'

export const sets = '/v1/agents/evaluation-sets'
export const evaluations = '/v1/agents/evaluations'

interface Case {
  name?: string
  input?: unknown
  run_id?: string
  expected?: unknown
}

/** Requests about evaluations, which must succeed. */
export function evaluationCalls({ call }: RunHarness) {
  const data = async (method: string, path: string, body?: unknown) => {
    const response = await call(method, path, body === undefined ? {} : { body })
    if (response.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(response.body)}`)
    return response.body.data
  }
  const createSet = async (cases: readonly Case[], fields: object = {}): Promise<string> => {
    const { id } = await data('POST', sets, { name: 'Questions', ...fields })
    if (cases.length > 0)
      await data('POST', `${sets}/${id}/import`, {
        format: 'jsonl',
        content: cases.map((each) => JSON.stringify(each)).join('\n'),
      })
    return id
  }
  const start = async (agentId: string, setId: string, fields: object = {}) =>
    data('POST', evaluations, { agent_id: agentId, evaluation_set_id: setId, ...fields })
  const waitForEnd = async (id: string) => {
    let evaluation = await data('GET', `${evaluations}/${id}`)
    await eventually(
      async () => {
        evaluation = await data('GET', `${evaluations}/${id}`)
        return evaluation.finished_at !== null
      },
      { description: `the end of ${id}` },
    )
    return evaluation
  }
  const results = async (id: string, filter = '') =>
    (await call('GET', `${evaluations}/${id}/results?limit=100${filter}`)).body.data
  /** Evaluates a version and returns the evaluation, which has finished. */
  const evaluate = async (agentId: string, setId: string, fields: object = {}) => {
    const ended = await waitForEnd((await start(agentId, setId, fields)).id)
    expect(ended).toMatchObject({ status: 'finished', error: null })
    return ended
  }
  return { data, createSet, start, waitForEnd, results, evaluate }
}
