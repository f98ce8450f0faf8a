import { Page } from '../../ui/page/page.tsx'

/** A team: how often its members are in. */
export const TeamPage = () => <Page title="Team">{null}</Page>
