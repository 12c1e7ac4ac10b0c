/** One company with its decks. */
import { Loading } from '../ui/states.tsx';

/** The page. */
export const CompanyPage = () => <Loading />;
