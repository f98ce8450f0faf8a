import { Page } from '../../ui/page/page.tsx'

/** The daily plans and their schedules. */
export const PlansPage = () => <Page title="Daily plans">{null}</Page>
