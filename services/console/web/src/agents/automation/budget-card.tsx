import type { AgentBudget } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Input, Select } from '../../ui/form/controls.tsx'
import { FieldRow } from '../../ui/form/field.tsx'
import { Form, FormField } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { formatCompact, formatCount, formatMoney } from '../../ui/format/format.ts'
import { ErrorMessage, Skeleton } from '../../ui/message/message.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card, Stack } from '../../ui/page/page.tsx'
import { Progress } from '../../ui/values/progress.tsx'
import styles from './automation.module.css'
import { type BudgetView, budgetSchema, toBudgetValues } from './budget-values.ts'

type Change = z.output<typeof budgetSchema>
type Use = z.output<typeof AgentBudget>['used_today']

/** A budget, and the use of the day as bars. @param save undefined for a person who may not change it */
export function BudgetCard({
  title,
  description,
  data,
  error,
  onRetry,
  save,
}: {
  title: string
  description: string
  data: { budget: BudgetView; used_today: Use } | undefined
  error: unknown
  onRetry: () => void
  save: ((change: Change) => Promise<unknown>) | undefined
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card
      title={title}
      description={description}
      actions={
        save && (
          <Button size="small" disabled={data === undefined} onClick={() => setOpen(true)}>
            Change
          </Button>
        )
      }
    >
      {error && data === undefined ? <ErrorMessage error={error} onRetry={onRetry} /> : undefined}
      {data === undefined && !error && <Skeleton height="9rem" />}
      {data && <UseOfToday budget={data.budget} use={data.used_today} />}
      {save && data && isOpen && (
        <BudgetDialog title={title} budget={data.budget} save={save} onClose={() => setOpen(false)} />
      )}
    </Card>
  )
}

function UseOfToday({ budget, use }: { budget: BudgetView; use: Use }) {
  const { runs, tokens, cost, runs_without_cost: unpriced } = use
  const perRun = [
    budget.cost_per_run && formatMoney(budget.cost_per_run.amount, budget.cost_per_run.currency),
    budget.tokens_per_run && `${formatCompact(budget.tokens_per_run)} tokens`,
  ].filter(Boolean)
  const money = cost === null ? 'None' : formatMoney(cost.amount, cost.currency)
  return (
    <Stack>
      <div className={styles.bars}>
        <Bar
          label="Money today"
          used={cost?.amount ?? 0}
          limit={budget.cost_per_day?.amount}
          words={cost === null && unpriced > 0 ? 'Not known' : money}
          of={budget.cost_per_day && formatMoney(budget.cost_per_day.amount, budget.cost_per_day.currency)}
        />
        <Bar
          label="Runs today"
          used={runs}
          limit={budget.runs_per_day}
          words={formatCompact(runs)}
          of={budget.runs_per_day && formatCompact(budget.runs_per_day)}
        />
        <Bar
          label="Tokens today"
          used={tokens}
          limit={budget.tokens_per_day}
          words={formatCompact(tokens)}
          of={budget.tokens_per_day && formatCompact(budget.tokens_per_day)}
        />
      </div>
      {perRun.length > 0 && <p>A single run may use {perRun.join(' and ')}.</p>}
      {unpriced > 0 && (
        <p className="muted size-table">
          The money leaves out {formatCount(unpriced, 'run')} of models without a price. Prices are stated with the
          model, under Integrations.
        </p>
      )}
    </Stack>
  )
}

/** The use of a limit; without one, the use alone. */
function Bar({
  label,
  used,
  limit,
  words,
  of,
}: {
  label: string
  used: number
  limit: number | null | undefined
  words: string
  of: string | null | undefined | 0
}) {
  if (!limit)
    return (
      <div className={styles.unlimited}>
        <span>{label}</span>
        <span>{words}, no limit</span>
      </div>
    )
  const share = used / limit
  const tone = share >= 1 ? 'danger' : share >= 0.8 ? 'warning' : 'accent'
  return <Progress label={label} value={share} text={`${words} of ${of}`} tone={tone} />
}

const currencies = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK', 'JPY', 'CAD', 'AUD']

function BudgetDialog({
  title,
  budget,
  save,
  onClose,
}: {
  title: string
  budget: BudgetView
  save: (change: Change) => Promise<unknown>
  onClose: () => void
}) {
  const initial = toBudgetValues(budget)
  const { form, ...state } = useApiForm({
    schema: budgetSchema,
    defaultValues: initial,
    onSubmit: async (change) => {
      await save(change)
      showSuccess('Budget saved')
      onClose()
    },
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="wide"
      title={title}
      description="A run that reaches a limit ends, and keeps what it has."
    >
      <Form {...state} submitLabel="Save" onCancel={onClose}>
        <FieldRow>
          <FormField form={form} name="cost_per_day.amount" label="Money a day" isOptional>
            <Input inputMode="decimal" placeholder="No limit" />
          </FormField>
          <FormField form={form} name="cost_per_run.amount" label="Money a run" isOptional>
            <Input inputMode="decimal" placeholder="No limit" />
          </FormField>
          <FormField form={form} name="currency" label="Currency">
            <Select
              options={[...new Set([initial.currency, ...currencies])].map((value) => ({ value, label: value }))}
            />
          </FormField>
        </FieldRow>
        <FormField form={form} name="runs_per_day" label="Runs a day" isOptional>
          <Input inputMode="numeric" placeholder="No limit" />
        </FormField>
        <FieldRow>
          <FormField form={form} name="tokens_per_day" label="Tokens a day" isOptional>
            <Input inputMode="numeric" placeholder="No limit" />
          </FormField>
          <FormField form={form} name="tokens_per_run" label="Tokens a run" isOptional>
            <Input inputMode="numeric" placeholder="No limit" />
          </FormField>
        </FieldRow>
      </Form>
    </Dialog>
  )
}
