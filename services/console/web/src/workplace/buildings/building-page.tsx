import { Page } from '../../ui/page/page.tsx'

/** A space: how full it is, its floors, teams and forecasts. */
export const BuildingPage = () => <Page title="Building">{null}</Page>
