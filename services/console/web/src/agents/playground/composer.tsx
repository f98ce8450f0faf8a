import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { useCan } from '../../session/workspace-context.tsx'
import { Button, Icon } from '../../ui/button/button.tsx'
import { Textarea } from '../../ui/form/controls.tsx'
import { Field } from '../../ui/form/field.tsx'
import { showError } from '../../ui/message/toast.ts'
import { Cluster } from '../../ui/page/page.tsx'
import { sampleInput } from '../shared/sample-input.ts'
import styles from './playground.module.css'
import type { PlaygroundAgent } from './playground.ts'

/** The longest question that the API takes. */
const maxQuestionLength = 100_000

/** Takes the next question: a text, or the JSON of an agent with an input schema. */
export function Composer({
  agent,
  isRunning,
  hasTurns,
  onAsk,
  onStop,
  onClear,
}: {
  agent: PlaygroundAgent
  isRunning: boolean
  hasTurns: boolean
  onAsk: (input: string | Record<string, unknown>) => void
  onStop: () => Promise<unknown>
  onClear: () => void
}) {
  const can = useCan()
  const schema = agent.input_schema
  const [text, setText] = useState(() => (schema === null ? '' : JSON.stringify(sampleInput(schema), undefined, 2)))
  const [error, setError] = useState<string>()
  const [isStopping, setStopping] = useState(false)
  const blocked = blockedReason(agent, can('agents:run'))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isRunning || blocked !== undefined || text.trim() === '') return
    const input = schema === null ? text.trim() : parseObject(text)
    if (input === undefined) return setError('This is not a JSON object. Check quotes, commas and braces.')
    setError(undefined)
    if (schema === null) setText('')
    onAsk(input)
  }
  const submitByEnter = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const isSubmit = event.key === 'Enter' && !event.nativeEvent.isComposing
    if (!isSubmit || (schema === null ? event.shiftKey : !event.ctrlKey && !event.metaKey)) return
    submit(event)
  }
  const stop = async () => {
    setStopping(true)
    await onStop().catch(showError)
    setStopping(false)
  }
  return (
    <form className={styles.composer} onSubmit={submit}>
      <Field label={schema === null ? 'Question' : 'Input as JSON'} error={error}>
        <Textarea
          isMono={schema !== null}
          rows={schema === null ? 2 : 6}
          maxLength={maxQuestionLength}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={submitByEnter}
        />
      </Field>
      <div className={styles.composerActions}>
        {blocked === undefined ? (
          <span className={styles.keys}>
            {schema === null ? 'Enter sends, Shift+Enter starts a new line.' : 'Ctrl+Enter sends.'}
          </span>
        ) : (
          <span className={styles.hint}>{blocked}</span>
        )}
        <Cluster>
          {hasTurns && (
            <Button variant="quiet" onClick={onClear}>
              Clear
            </Button>
          )}
          {/* One button, so that the focus stays on it when a run begins or ends. */}
          <Button
            type={isRunning ? 'button' : 'submit'}
            variant={isRunning ? 'default' : 'primary'}
            isBusy={isStopping}
            disabled={!isRunning && blocked !== undefined}
            onClick={isRunning ? stop : undefined}
          >
            {isRunning && <Icon name="stop" size={16} />}
            {isRunning ? 'Stop' : schema === null ? 'Ask' : 'Run'}
          </Button>
        </Cluster>
      </div>
    </form>
  )
}

function blockedReason({ status }: PlaygroundAgent, canRun: boolean): string | undefined {
  if (status === 'archived') return 'This assistant is archived. Activate it to run it.'
  return canRun ? undefined : 'Running assistants needs the scope agents:run, which you do not have.'
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
