// Takes the place of `platform` in a build without the core.

throw new Error("this build has no core");
