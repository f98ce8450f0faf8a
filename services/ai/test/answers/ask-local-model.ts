import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { createLocalModel } from '../../src/models/local/local-model.ts'
import { toolResultText } from '../../src/models/tool-result-text.ts'
import { RecordMarkers } from '../../src/tools/record-markers.ts'
import { type AgentTool, type ToolCall, ToolFailure } from '../../src/tools/tool.ts'

/** What a question led to. */
export interface Asked {
  answer: string
  /** The tool calls, in order. */
  calls: { tool: string; input: unknown; output: unknown }[]
  /** Keys of the records that the answer cites. */
  cited: string[]
}

const maxSteps = 10

/**
 * Asks the local model, and calls the tools it asks for, as a run does: results as marked content, records numbered.
 */
export async function askLocalModel(
  question: string,
  tools: readonly AgentTool[],
  call: ToolCall,
  now: () => number = Date.now,
  earlier: readonly string[] = [],
): Promise<Asked> {
  const model = createLocalModel({ now })
  const markers = new RecordMarkers()
  const prompt: LanguageModelV4Prompt = [...earlier, question].map((text) => ({
    role: 'user' as const,
    content: [{ type: 'text' as const, text }],
  }))
  const calls: Asked['calls'] = []
  const offered = tools.map(({ name, description, inputSchema }) => ({
    type: 'function' as const,
    name,
    description,
    inputSchema,
  }))
  for (let step = 0; step < maxSteps; step++) {
    const { content } = await model.doGenerate({ prompt, tools: offered })
    const [text] = content
    if (text?.type === 'text') return { answer: text.text, calls, cited: citedKeys(text.text, markers) }
    for (const part of content) {
      if (part.type !== 'tool-call') throw new Error('the model sent neither text nor a call')
      const input: unknown = JSON.parse(part.input)
      const output = await runTool(tools, part.toolName, input, call, markers)
      calls.push({ tool: part.toolName, input, output })
      const shared = { toolCallId: part.toolCallId, toolName: part.toolName }
      prompt.push(
        { role: 'assistant', content: [{ type: 'tool-call', ...shared, input }] },
        {
          role: 'tool',
          content: [{ type: 'tool-result', ...shared, output: { type: 'text', value: toolResultText(output) } }],
        },
      )
    }
  }
  throw new Error(`no answer after ${maxSteps} steps: ${JSON.stringify(calls)}`)
}

async function runTool(
  tools: readonly AgentTool[],
  name: string,
  input: unknown,
  call: ToolCall,
  markers: RecordMarkers,
): Promise<unknown> {
  try {
    const result = await tools.find((tool) => tool.name === name)?.run(input, call)
    markers.add(result?.records ?? [])
    return markers.mark(result?.output)
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error
    return { error: error.message }
  }
}

const citedKeys = (answer: string, { records }: RecordMarkers): string[] => {
  const cited = new Set([...answer.matchAll(/\[(\d+)\]/g)].map(([, index]) => Number(index)))
  return records.filter(({ index }) => cited.has(index)).map(({ key }) => key)
}
