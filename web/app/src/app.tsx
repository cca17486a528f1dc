import { LocationProvider, lazy, Route, Router } from "preact-iso";
import { api, at } from "./client";
import { isLocal } from "./local/id";
import { Front } from "./pages/front";
import { NotFound } from "./pages/not-found";
import { Footer, Header } from "./parts/frame";

// The front page is part of the shell; every other page is loaded when it is opened.
const NewGame = lazy(() => import("./pages/new-game").then((page) => page.NewGame));
const Positions = lazy(() => import("./pages/positions").then((page) => page.Positions));
const MatchPage = lazy(() => import("./pages/match").then((page) => page.MatchPage));
const Lobby = lazy(() => import("./pages/lobby").then((page) => page.Lobby));
const Watch = lazy(() => import("./pages/watch").then((page) => page.Watch));
const Mine = lazy(() => import("./pages/mine").then((page) => page.Mine));
const Archive = lazy(() => import("./pages/archive").then((page) => page.Archive));
const SettingsPage = lazy(() => import("./pages/settings").then((page) => page.SettingsPage));
const Tokens = lazy(() => import("./pages/tokens").then((page) => page.Tokens));
const Learn = lazy(() => import("./pages/learn").then((page) => page.Learn));
const FirstGame = lazy(() => import("./pages/first-game").then((page) => page.FirstGame));
const Analysis = lazy(() => import("./pages/analysis").then((page) => page.Analysis));
const Daily = lazy(() => import("./pages/daily").then((page) => page.Daily));
const Puzzles = lazy(() => import("./pages/puzzles").then((page) => page.Puzzles));
const Studio = lazy(() => import("./pages/studio").then((page) => page.Studio));
const About = lazy(() => import("./pages/about").then((page) => page.About));

/** Starts to load a match's page and data before the texts have arrived, so that its board appears sooner. */
export function preloadMatch(): void {
  const start = at("/match/");
  const id = location.pathname.slice(start.length);
  if (!location.pathname.startsWith(start) || !/^[\w-]+$/.test(id)) return;
  MatchPage.preload();
  if (!isLocal(id)) api.expectMatch(id);
}

export function App() {
  return (
    <LocationProvider>
      <Header />
      <Router>
        <Route path={at("/")} component={Front} />
        <Route path={at("/new")} component={NewGame} />
        <Route path={at("/positions")} component={Positions} />
        <Route path={at("/match/:id")} component={MatchPage} />
        <Route path={at("/lobby")} component={Lobby} />
        <Route path={at("/watch")} component={Watch} />
        <Route path={at("/mine")} component={Mine} />
        <Route path={at("/archive")} component={Archive} />
        <Route path={at("/settings")} component={SettingsPage} />
        <Route path={at("/settings/tokens")} component={Tokens} />
        <Route path={at("/learn/:id")} component={Learn} />
        <Route path={at("/learn/:id/first")} component={FirstGame} />
        <Route path={at("/analysis/:id?")} component={Analysis} />
        <Route path={at("/daily")} component={Daily} />
        <Route path={at("/puzzles")} component={Puzzles} />
        <Route path={at("/studio/:id?")} component={Studio} />
        <Route path={at("/about")} component={About} />
        <Route default component={NotFound} />
      </Router>
      <Footer />
    </LocationProvider>
  );
}
