import { Page } from '../../ui/page/page.tsx'

/** A daily plan. */
export const PlanPage = () => <Page title="Daily plan">{null}</Page>
