import { useResourceNames } from '../../names/resource-names.ts'
import { Icon } from '../../ui/button/button.tsx'
import { formatDuration } from '../../ui/format/format.ts'
import { idsIn } from '../../ui/format/replace-ids.ts'
import { JsonView } from '../../ui/values/code-block.tsx'
import { StatusBadge } from '../../ui/values/values.tsx'
import type { ToolCall } from './message-stream.ts'
import styles from './tool-call.module.css'
import { callStatusWords, describeTool, errorStatusOf, shownStatus, summarizeInput } from './tool-words.ts'

/** Returns a short text for the input of a call, with the names of its resources. */
export const useInputSummary = (input: unknown): string =>
  summarizeInput(input, useResourceNames(idsIn(JSON.stringify(input ?? null))))

/** A call of a tool on one line, which unfolds to its input and output. */
export function ToolCallView({ call }: { call: ToolCall }) {
  const { tool, input, output, status, error, durationMs } = call
  return (
    <details className={styles.call}>
      <summary className={styles.summary}>
        <Icon name="chevron-right" size={14} className={styles.chevron ?? ''} />
        <span className={styles.name} title={tool}>
          {describeTool(call)}
        </span>
        <span className={styles.input}>{useInputSummary(input)}</span>
        {durationMs !== null && <span className={styles.duration}>{formatDuration(durationMs)}</span>}
        <StatusBadge status={callStatusWords[shownStatus(call)]} />
      </summary>
      <div className={styles.details}>
        <div className="muted small medium">Input</div>
        <JsonView value={input ?? {}} label={`Input of ${tool}`} />
        {error !== null && (
          <>
            <div className="muted small medium">Error</div>
            <p className={styles.error}>{error}</p>
          </>
        )}
        {status === 'finished' && errorStatusOf(output) !== undefined && (
          <p className={styles.error}>The service answered with the error {errorStatusOf(output)}.</p>
        )}
        {output !== null && output !== undefined && (
          <>
            <div className="muted small medium">Output</div>
            <JsonView value={output} label={`Output of ${tool}`} />
          </>
        )}
        {status === 'denied' && <p>A person denied this call. The assistant was told, and went on without it.</p>}
        {status === 'cancelled' && <p>The run ended before a person had decided. The call was not made.</p>}
        {status === 'interrupted' && <p>The run ended before the result arrived. The call may have had its effect.</p>}
      </div>
    </details>
  )
}
