/** Figures over many decks. */
import { Loading } from '../ui/states.tsx';

/** The page. */
export const PortfolioPage = () => <Loading />;
