import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Embeddings, eventually, findEmbeddings, findFreePort, startEmbeddings } from '../src/index.ts'

const python = findEmbeddings()
if (python === undefined) process.stdout.write('skipped: npm run embeddings installs the server of embeddings\n')
const describeInstalled = python === undefined ? describe.skip : describe

describeInstalled('the server of embeddings', () => {
  let server: Embeddings
  const lines: string[] = []
  beforeAll(async () => {
    const options = { python: python ?? '', port: await findFreePort(), threads: 1, restartMs: 10 }
    server = await startEmbeddings({ ...options, print: (line) => void lines.push(line) })
  })
  afterAll(() => server?.stop())

  async function embed(input: string[], type: 'query' | 'passage'): Promise<number[][]> {
    const response = await fetch(`${server.url}/embeddings`, {
      method: 'POST',
      body: JSON.stringify({ input, input_type: type, encoding_format: 'float' }),
    })
    const { data } = (await response.json()) as { data: { embedding: number[] }[] } // the format of OpenAI's API
    return data.map(({ embedding }) => embedding)
  }
  const product = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, nth) => sum + x * (b[nth] ?? 0), 0)

  it.each([
    ['Hotel in Paris?', 0],
    ['Mein Notebook wurde geklaut', 1],
    ['Quand ferme le service des archives ?', 2],
  ])('finds the rule of another wording or language for %s', async (question, expected) => {
    const rules = await embed(
      [
        'Lodging: up to 180 euros a night are reimbursed in capital cities abroad.',
        'Report a lost or stolen computer to the service desk at once.',
        'The archive closes at six.',
      ],
      'passage',
    )
    const [query = []] = await embed([question], 'query')
    const scores = rules.map((rule) => product(query, rule))
    expect(scores.indexOf(Math.max(...scores))).toBe(expected)
  })

  it('embeds a text differently as a query and as a passage', async () => {
    const [[query = []], [passage = []]] = await Promise.all([embed(['hotel'], 'query'), embed(['hotel'], 'passage')])
    expect(query).toHaveLength(384)
    expect(query).not.toEqual(passage)
  })

  it('is started again, and says so, when its process ends', async () => {
    const before = server.pid() ?? 0
    process.kill(before, 'SIGKILL')
    await eventually(async () => (await embed(['a'], 'query')).length === 1 && server.pid() !== before)
    expect(lines.join()).toContain('the server ended (SIGKILL)')
  })
})
