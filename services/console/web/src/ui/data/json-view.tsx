import { escapeDirections } from '../format/isolate.ts'
import { CodeBlock } from './code-block.tsx'

/** A JSON value as text, indented. A text that is not JSON is shown as it is. */
export function JsonView({ value, label = 'JSON' }: { value: unknown; label?: string }) {
  return (
    <CodeBlock
      code={typeof value === 'string' ? indentJson(value) : escapeDirections(JSON.stringify(value, undefined, 2))}
      label={label}
      wrap
    />
  )
}

function indentJson(text: string): string {
  try {
    return escapeDirections(JSON.stringify(JSON.parse(text), undefined, 2))
  } catch {
    return text
  }
}
