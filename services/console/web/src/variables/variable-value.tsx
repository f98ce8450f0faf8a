import { Badge } from '../ui/data/badge.tsx'

/** The value of a variable, or that it is secret or empty. */
export function VariableValue({ value, isSecret }: { value: string | null; isSecret: boolean }) {
  if (isSecret) return <Badge tone="warning">secret</Badge>
  if (value === null || value === '') return <span>empty</span>
  return <code>{value}</code>
}
