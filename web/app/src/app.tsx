import type { ComponentType } from "preact";
import { LocationProvider, lazy, Route, Router } from "preact-iso";
import { api, at } from "./client";
import { isLocal } from "./local/id";
import { Front } from "./pages/front";
import { NotFound } from "./pages/not-found";
import { Footer, Header } from "./parts/frame";
import { Trouble } from "./parts/loaded";
import { refusal } from "./refusal";

/** Says that a page cannot be loaded: without a network, or because the server has a newer version of the app. */
const Unloaded = () => (
  <main id="main" class="page" tabIndex={-1}>
    <Trouble error={refusal("unloaded")} again={() => location.reload()} />
  </main>
);

// The router would wait for ever for a page that fails.
const page = (load: () => Promise<ComponentType>) => lazy(() => load().catch(() => Unloaded));

// The front page is part of the shell; every other page is loaded when it is opened.
const NewGame = page(() => import("./pages/new-game").then((its) => its.NewGame));
const Positions = page(() => import("./pages/positions").then((its) => its.Positions));
const MatchPage = page(() => import("./pages/match").then((its) => its.MatchPage));
const Lobby = page(() => import("./pages/lobby").then((its) => its.Lobby));
const PlayPage = page(() => import("./pages/play-now").then((its) => its.PlayPage));
const EnginePage = page(() => import("./pages/engine").then((its) => its.EnginePage));
const Watch = page(() => import("./pages/watch").then((its) => its.Watch));
const Mine = page(() => import("./pages/mine").then((its) => its.Mine));
const Archive = page(() => import("./pages/archive").then((its) => its.Archive));
const SettingsPage = page(() => import("./pages/settings").then((its) => its.SettingsPage));
const AccountPage = page(() => import("./pages/account").then((its) => its.AccountPage));
const Ratings = page(() => import("./pages/ratings").then((its) => its.Ratings));
const Stop = page(() => import("./pages/stop").then((its) => its.Stop));
const Tokens = page(() => import("./pages/tokens").then((its) => its.Tokens));
const Learn = page(() => import("./pages/learn").then((its) => its.Learn));
const FirstGame = page(() => import("./pages/first-game").then((its) => its.FirstGame));
const Analysis = page(() => import("./pages/analysis").then((its) => its.Analysis));
const Studies = page(() => import("./pages/studies").then((its) => its.Studies));
const StudyPage = page(() => import("./pages/study").then((its) => its.StudyPage));
const Daily = page(() => import("./pages/daily").then((its) => its.Daily));
const Puzzles = page(() => import("./pages/puzzles").then((its) => its.Puzzles));
const Studio = page(() => import("./pages/studio").then((its) => its.Studio));
const People = page(() => import("./pages/people").then((its) => its.People));
const Messages = page(() => import("./pages/messages").then((its) => its.Messages));
const Moderation = page(() => import("./pages/moderation").then((its) => its.Moderation));
const Tournaments = page(() => import("./pages/tournaments").then((its) => its.Tournaments));
const About = page(() => import("./pages/about").then((its) => its.About));

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
        <Route path={at("/play")} component={PlayPage} />
        <Route path={at("/engines/:id")} component={EnginePage} />
        <Route path={at("/watch")} component={Watch} />
        <Route path={at("/mine")} component={Mine} />
        <Route path={at("/archive")} component={Archive} />
        <Route path={at("/settings")} component={SettingsPage} />
        <Route path={at("/settings/tokens")} component={Tokens} />
        <Route path={at("/stop")} component={Stop} />
        <Route path={at("/account")} component={AccountPage} />
        <Route path={at("/ratings")} component={Ratings} />
        <Route path={at("/learn/:id")} component={Learn} />
        <Route path={at("/learn/:id/first")} component={FirstGame} />
        <Route path={at("/analysis/:id?")} component={Analysis} />
        <Route path={at("/studies")} component={Studies} />
        <Route path={at("/study/:id")} component={StudyPage} />
        <Route path={at("/daily")} component={Daily} />
        <Route path={at("/puzzles")} component={Puzzles} />
        <Route path={at("/studio/:id?")} component={Studio} />
        <Route path={at("/people/:name?")} component={People} />
        <Route path={at("/messages/:who?")} component={Messages} />
        <Route path={at("/moderation")} component={Moderation} />
        <Route path={at("/tournaments/:id?")} component={Tournaments} />
        <Route path={at("/about")} component={About} />
        <Route default component={NotFound} />
      </Router>
      <Footer />
    </LocationProvider>
  );
}
